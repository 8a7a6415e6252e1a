import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { forgetOldPreviews } from '../../../src/capabilities/previews/forget-previews.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { askingAgent } from '../../harness/asked-orders.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

// place_order takes the preview_token alone: the order that was previewed is kept for the token.

const service = openForFile(() => startTestService());

const HOUR_MS = 3_600_000;
const UNKNOWN = /is not of this grant or API key and its environment, or expired more than a day ago/;

async function sandboxAgent() {
  const organization = await service.organization();
  return { organization, agent: await connectAgent(service.url, organization.keys.sandbox) };
}

/** Previews an order, and returns its token. */
const tokenOf = async (agent: Agent, order: object) => {
  const { preview_token } = await agent.preview(order);
  return { preview_token };
};

const refusalOf = async (agent: Agent, given: object) => {
  const { isError, body } = await agent.call('place_order', given);
  assert.deepEqual([isError, body.error?.code, body.error?.param], [true, 'parameter_invalid', 'preview_token']);
  return body.error.message as string;
};

test('empty arguments beside a token count as left out, and an incomplete order is refused', async () => {
  const { agent } = await sandboxAgent();
  const given = await tokenOf(agent, { gifts: [linkGift()] });
  const beside = /^gifts is required\. Send the preview_token alone: it has the whole order\.$/;
  assert.match(await refusalOf(agent, { ...given, external_id: 'x' }), beside);
  const { body } = await agent.call('place_order', { ...given, gifts: [], metadata: [], external_id: '' });
  assert.match(body.order_id, /^ord_/);
  const bought = `This preview_token bought the order ${body.order_id}. Send the token alone to read it.`;
  assert.equal(await refusalOf(agent, { ...given, external_id: 'x' }), bought);
});

test('a token alone buys the ten gifts that were previewed, with every field, once', async () => {
  const { organization, agent } = await sandboxAgent();
  const named = (n: number) => ({
    ...emailGift('delivered'),
    amount: 1_000 + n,
    personalization: { recipient_name: `Ada ${n}`, message: 'Merci – ‘danke’ 🎁\n“два”' },
    metadata: [{ key: 'row', value: String(n) }],
  });
  const gifts = Array.from({ length: 10 }, (_, n) => named(n));
  const given = await tokenOf(agent, { gifts, external_id: 'ten', metadata: [{ key: 'team', value: 'blue' }] });
  const { isError, body } = await agent.call('place_order', given);
  assert.equal(isError, false, JSON.stringify(body));
  assert.deepEqual(
    body.gifts.map(({ amount, personalization }: Record<string, object>) => ({ amount, personalization })),
    gifts.map(({ amount, personalization }) => ({
      amount,
      personalization: { sender_name: 'Test Organization', ...personalization },
    })),
  );
  const { body: order } = await organization.sandbox.get(`/v1/orders/${body.order_id}`);
  assert.deepEqual([order.external_id, order.metadata], ['ten', { team: 'blue' }]);
  assert.deepEqual((await agent.call('place_order', given)).body.order_id, body.order_id);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 10_045);
});

test('twenty calls at once with the token alone and with its order buy one order', async () => {
  const { organization, agent } = await sandboxAgent();
  const whole = await agent.preview({ gifts: [linkGift(1_000)] });
  const { preview_token } = whole;
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => agent.call('place_order', n % 2 === 0 ? { preview_token } : whole)),
  );
  assert.equal((await agent.call('place_order', { preview_token, gifts: null })).isError, false);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 1_000);
});

test('a token of another key, environment or organization is refused and buys nothing', async () => {
  const { organization, agent } = await sandboxAgent();
  const given = await tokenOf(agent, { gifts: [linkGift()] });
  const stranger = await service.organization();
  const others = [await organization.newKey('sandbox'), organization.keys.live, stranger.keys.sandbox];
  for (const key of others) assert.match(await refusalOf(await connectAgent(service.url, key), given), UNKNOWN);
  assert.match(await refusalOf(agent, { preview_token: 'preview_guess' }), UNKNOWN);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
});

test('after an hour a token alone buys nothing and says what to do, and after a day its order is deleted', async () => {
  const { organization, agent } = await sandboxAgent();
  const given = await tokenOf(agent, { gifts: [linkGift()] });
  const bought = await tokenOf(agent, { gifts: [linkGift(1_000)] });
  const { body: placed } = await agent.call('place_order', bought);
  await service.clock.jump(HOUR_MS);
  assert.match(
    await refusalOf(agent, given),
    /has expired, and no order was placed with it\. Call preview_order again/,
  );
  await service.clock.jump(24 * HOUR_MS + 1);
  await forgetOldPreviews(service.service.deps);
  assert.deepEqual(
    await service.sql('select from previewed_orders where organization_id = $1', [organization.organizationUuid]),
    [],
  );
  assert.match(await refusalOf(agent, given), UNKNOWN);
  assert.equal((await agent.call('place_order', bought)).body.order_id, placed.order_id);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 1_000);
});

test('an order above the amount of a grant is asked for by the token alone, and its token returns the request', async () => {
  const agent = await askingAgent(service, await service.organization(), 1_000);
  const given = await tokenOf(agent, { gifts: [linkGift(1_500)] });
  const { body: asked } = await agent.call('place_order', given);
  assert.equal(asked.status, 'waiting_for_approval');
  assert.equal((await agent.call('place_order', given)).body.order_request_id, asked.order_request_id);
});

test('an erasure deletes previews with the address, and no others', async () => {
  const { organization, agent } = await sandboxAgent();
  const gift = (email: string, message = 'Hello') => ({
    ...linkGift(),
    delivery: { method: 'email', email },
    personalization: { message },
  });
  const erased = [
    await tokenOf(agent, { gifts: [linkGift(), gift('Grace+1@Sandbox.gift.test')] }),
    await tokenOf(agent, { gifts: [gift('delivered@sandbox.gift.test', 'From grace+1@sandbox.gift.test')] }),
  ];
  const kept = await tokenOf(agent, { gifts: [gift('delivered@sandbox.gift.test')] });
  await eraseRecipient(service.service.deps, {
    organizationId: organization.organizationId,
    recipient: { method: 'email', email: 'grace+1@sandbox.gift.test' },
    actor: OPERATOR,
  });
  for (const given of erased) assert.match(await refusalOf(agent, given), UNKNOWN);
  assert.equal((await agent.call('place_order', kept)).isError, false);
});
