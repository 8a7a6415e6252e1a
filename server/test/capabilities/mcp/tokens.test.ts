import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rollKey } from '../../../src/core/keys/roll-key.ts';
import { type Agent, connectAgent, withoutHistory } from '../../harness/agent.ts';
import { emailGift, linkGift, listOrderIds } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// A preview token that bought an order returns this order for ever, and buys nothing else.

const service = openForFile(() => startTestService());
const other = openForFile(() => service.second());

const HOUR_MS = 3_600_000;

async function sandboxAgent() {
  const organization = await service.organization();
  return { organization, agent: await connectAgent(service.url, organization.keys.sandbox) };
}

/** Replaces the sandbox key at once, and connects with the new one. */
async function connectRolled({ organizationId, keys }: TestOrganization): Promise<Agent> {
  const keyId = await keyIdOf(service, keys.sandbox);
  const rolled = await rollKey(service.service.deps, { organizationId, keyId, overlapHours: 0, actor: OPERATOR });
  return connectAgent(service.url, rolled.key);
}

test('long after the hour, and by another key, a placed token returns its order as it is now', async () => {
  const { organization, agent } = await sandboxAgent();
  const placing = await agent.preview({ gifts: [linkGift(), emailGift('delivered')] });
  const { body: placed } = await agent.call('place_order', placing);
  await service.clock.jump(60 * 24 * HOUR_MS);
  await agent.call('cancel_gift', { gift_id: placed.gifts[0].gift_id });
  const expected = withoutHistory((await agent.call('get_order', { order_id: placed.order_id })).body);
  assert.ok('cancellation' in (expected.gifts[0] ?? {}));
  const another = await connectAgent(service.url, await organization.newKey('sandbox'));
  for (const connect of [async () => agent, async () => another, () => connectRolled(organization)]) {
    const { isError, body } = await (await connect()).call('place_order', placing);
    assert.deepEqual([isError, body], [false, expected]);
  }
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
});

test('the key that replaced the one of the preview places the order, within the hour', async () => {
  const { organization, agent } = await sandboxAgent();
  const [first, second] = [await agent.preview({ gifts: [linkGift()] }), await agent.preview({ gifts: [linkGift()] })];
  const rolled = await connectRolled(organization);
  assert.equal((await rolled.call('place_order', first)).isError, false);
  await service.clock.jump(HOUR_MS);
  assert.match((await rolled.call('place_order', second)).body.error.message, /has expired, and no order/);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
});

test('a token with another body than its order is refused, names the order and buys nothing', async () => {
  const { organization, agent } = await sandboxAgent();
  const placing = await agent.preview({ gifts: [linkGift(1_000)] });
  const { body: placed } = await agent.call('place_order', placing);
  for (const ms of [0, HOUR_MS]) {
    await service.clock.jump(ms);
    for (const changed of [
      { gifts: [linkGift(1_001)] },
      { external_id: 'x' },
      { gifts: [linkGift(1_000), linkGift()] },
    ]) {
      const { isError, body } = await agent.call('place_order', { ...placing, ...changed });
      assert.deepEqual([isError, body.error.code, body.error.param], [true, 'parameter_invalid', 'preview_token']);
      assert.ok(body.error.message.includes(`bought the order ${placed.order_id}`), body.error.message);
    }
  }
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 1_000);
});

test('a token of another organization or environment buys nothing, also one that bought an order', async () => {
  const { organization, agent } = await sandboxAgent();
  const placing = await agent.preview({ gifts: [linkGift()] });
  await agent.call('place_order', placing);
  const stranger = await service.organization();
  for (const key of [organization.keys.live, stranger.keys.sandbox]) {
    const { body } = await (await connectAgent(service.url, key)).call('place_order', placing);
    assert.match(body.error.message, /is not of this grant or API key/);
  }
  assert.equal(await balanceOf(service, organization, 'live'), 1_000_000);
  assert.equal(await balanceOf(service, stranger, 'sandbox'), 1_000_000);
});

test('while the sandbox is reset, repeats of an expired token buy nothing', async () => {
  const { organization, agent } = await sandboxAgent();
  const beside = await connectAgent(other.url, organization.keys.sandbox);
  for (let round = 0; round < 5; round += 1) {
    await organization.fund('sandbox', 10_000);
    const placing = await agent.preview({ gifts: [linkGift(1_000)] });
    assert.equal((await agent.call('place_order', placing)).isError, false);
    await service.clock.jump(HOUR_MS);
    const repeat = async (_: unknown, n: number) => {
      const answers = [];
      for (let time = 0; time < 4; time += 1)
        answers.push(await (n % 2 === 0 ? agent : beside).call('place_order', placing));
      return answers;
    };
    const [reset, ...repeats] = await Promise.all([
      organization.sandbox.post('/v1/sandbox/reset'),
      ...Array.from({ length: 10 }, repeat),
    ]);
    assert.equal(reset.status, 200);
    assert.deepEqual(await listOrderIds(organization.sandbox), []);
    assert.equal(await balanceOf(service, organization, 'sandbox'), 0);
    const last = await agent.call('place_order', placing);
    assert.match(last.body.error.message, /is not of this grant or API key and its environment, or expired/);
    for (const { isError, body } of repeats.flat())
      assert.ok(!isError || ['parameter_invalid', 'resource_locked'].includes(body.error.code), JSON.stringify(body));
  }
  await verifyAll(service);
});
