import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { expireRequests } from '../../../src/capabilities/gift-requests/expire-requests.ts';
import { linkGift } from '../../harness/api-client.ts';
import { askFor, askingAgent } from '../../harness/asked-orders.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf } from '../../harness/ledger.ts';
import type { Body } from '../../harness/next-steps.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';
import { WORDS_OF_HTTP } from '../../harness/words-of-http.ts';

// Every answer about an order that waits for a person, followed as its next step says: nothing is bought twice.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());

const GIFTS = [linkGift()];
type Agent = Awaited<ReturnType<typeof askingAgent>>;

/** Does literally what the answer says, as a model that forgets what it did before. */
async function follow(agent: Agent, { next_step, message = '', ...answer }: Body): Promise<Body> {
  assert.doesNotMatch(next_step, WORDS_OF_HTTP);
  const order_request_id = answer.order_request_id ?? /\bask_\w+/.exec(message)?.[0];
  if (/call preview_order again\.$/.test(next_step)) return (await askFor(agent, GIFTS)).body;
  if (/Call get_order with this order_id/.test(next_step))
    return (await agent.call('get_order', { order_id: answer.order_id })).body;
  assert.match(next_step, /get_order_request with (?:this order_request_id|its id)/);
  return (await agent.call('get_order_request', { order_request_id })).body;
}

async function scene() {
  const start = await balanceOf(service, organization, 'sandbox');
  const agent = await askingAgent(service, organization);
  const asked = await askFor(agent, GIFTS);
  const decide = async (act: string, id: string, body: object = {}) => {
    const admin = await createPortalClient(service, 'admin@example.com');
    return (await admin.call('POST', requestsPath(organization, `/${id}/${act}`), body)).body;
  };
  const bought = async () => start - (await balanceOf(service, organization, 'sandbox'));
  return { agent, asked, decide, bought };
}

test('an order that waits is read, and once approved it is bought once', async () => {
  const { agent, asked, decide, bought } = await scene();
  assert.deepEqual(await follow(agent, asked.body), asked.body);
  const { order_id } = await decide('approve', asked.id);
  const approved = await follow(agent, asked.body);
  assert.deepEqual([approved.status, approved.order_id], ['approved', order_id]);
  assert.equal((await follow(agent, approved)).order_id, order_id);
  for (let n = 0; n < 3; n += 1) assert.equal((await agent.call('place_order', asked.given)).body.order_id, order_id);
  assert.equal(await bought(), 2_500);
});

for (const end of ['declined', 'expired'])
  test(`an order that is ${end} buys nothing, and another one only after another approval`, async () => {
    const { agent, asked, decide, bought } = await scene();
    if (end === 'declined') await decide('decline', asked.id, { reason: 'Not this year' });
    else {
      await service.clock.jump(31 * 86_400_000);
      await expireRequests(service.service.deps);
    }
    const ended = await follow(agent, asked.body);
    assert.equal(ended.status, end);
    assert.deepEqual((await agent.call('place_order', asked.given)).body, ended);
    const second = await follow(agent, ended);
    assert.notEqual(second.order_request_id, asked.id);
    assert.equal(await bought(), 0);
    await decide('approve', second.order_request_id);
    assert.equal((await agent.call('place_order', asked.given)).body.status, end);
    assert.equal(await bought(), 2_500);
  });

test('a token that waits, sent with another order, leads to its request', async () => {
  const { agent, asked, bought } = await scene();
  const { body } = await agent.call('place_order', { ...asked.given, gifts: [linkGift(3_000)] });
  assert.equal((await follow(agent, body.error)).order_request_id, asked.id);
  assert.equal(await bought(), 0);
});

test('the same external id waits twice, and is bought once', async () => {
  const { agent, decide, bought } = await scene();
  const first = await askFor(agent, GIFTS, { external_id: 'party' });
  const second = await askFor(agent, GIFTS, { external_id: 'party' });
  await decide('approve', first.id);
  assert.equal((await decide('approve', second.id)).error.code, 'external_id_taken');
  assert.equal(await bought(), 2_500);
});
