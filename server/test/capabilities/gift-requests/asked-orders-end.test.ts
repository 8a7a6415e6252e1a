import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { approveRequest } from '../../../src/capabilities/gift-requests/decide-request.ts';
import { expireRequests } from '../../../src/capabilities/gift-requests/expire-requests.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { revokeGrant } from '../../../src/core/grants/revoke-grant.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import type { Agent } from '../../harness/agent.ts';
import { linkGift } from '../../harness/api-client.ts';
import {
  askFor as ask,
  askingAgent as createAgent,
  ordersWith,
  limit as setLimit,
} from '../../harness/asked-orders.ts';
import { killedAfter } from '../../harness/batches.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** How orders of agents that wait for an admin end. The clock moves, so people sign in again. */

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const path = (more = '') => requestsPath(organization, more);
const balance = () => balanceOf(service, organization, 'sandbox');
const askingAgent = (askAbove?: number | null, more: object = {}) => createAgent(service, organization, askAbove, more);
const limit = (agent: { grant_id: string }, limits: Parameters<typeof setLimit>[3]) =>
  setLimit(service, organization, agent, limits);

test('a token asks for one order, and answers with its end for ever', async () => {
  const before = await balance();
  const agent = await askingAgent();
  const [declined, expired] = [await ask(agent, [linkGift()]), await ask(agent, [linkGift()])];
  const admin = await createPortalClient(service, 'admin@example.com');
  await admin.call('POST', path(`/${declined.id}/decline`), { reason: 'Not this year' });
  // No amount now; the tokens go on asking.
  await limit(agent, { ask_above: null });
  const again = async (given: object) => (await agent.call('place_order', given)).body;
  assert.equal((await again(expired.given)).order_request_id, expired.id);
  await service.clock.jump(31 * DAY_MS);
  await expireRequests(service.service.deps);
  const [first, second] = [await again(declined.given), await again(expired.given)];
  assert.deepEqual(
    [first.order_request_id, first.status, first.reason, second.order_request_id, second.status],
    [declined.id, 'declined', 'Not this year', expired.id, 'expired'],
  );
  for (const { next_step } of [first, second])
    assert.match(next_step, /nothing was bought.* Only if the person still wants it, call preview_order again\.$/i);
  assert.deepEqual([await ordersWith(service, declined.given), await ordersWith(service, expired.given)], [[], []]);
  assert.equal(await balance(), before);
  const held = await service.sql(`select from gift_requests where grant_id = $1 and gift is not null`, [
    decodeId('grant', agent.grant_id),
  ]);
  assert.deepEqual(held, []);
});

test('the order of a grant that ended cannot be approved', async () => {
  const before = await balance();
  const [revoked, expired] = [
    await askingAgent(),
    await askingAgent(2_000, { expiresAt: new Date(service.clock.now() + DAY_MS) }),
  ];
  const [first, second] = [await ask(revoked, [linkGift()]), await ask(expired, [linkGift()])];
  const { organizationId } = organization;
  await revokeGrant(service.service.deps, { organizationId, grantId: revoked.grant_id, actor: OPERATOR });
  await service.clock.jump(2 * DAY_MS);
  const later = await createPortalClient(service, 'admin@example.com');
  for (const { id } of [first, second]) {
    const { status, body } = await later.call('POST', path(`/${id}/approve`));
    assert.equal(status, 422);
    assert.match(body.error.message, /^The grant of this agent has ended, .* Nothing was bought\./);
    assert.equal((await later.call('POST', path(`/${id}/decline`), {})).body.state, 'declined');
  }
  assert.equal(await balance(), before);
});

test('the end of a request is an event, also for the grant that asked', async () => {
  const again = await createPortalClient(service, 'admin@example.com');
  const [agent, other] = [await askingAgent(), await askingAgent()];
  const { body: start } = await agent.call('wait_for_events', { wait: 0 });
  const [approved, declined, expired] = [
    await ask(agent, [linkGift()]),
    await ask(agent, [linkGift()]),
    await ask(agent, [linkGift()]),
  ];
  const { body } = await again.call('POST', path(`/${approved.id}/approve`));
  await again.call('POST', path(`/${declined.id}/decline`), { reason: 'Ada Lovelace left' });
  await service.clock.jump(31 * DAY_MS);
  await expireRequests(service.service.deps);
  const seen = async (who: Agent) => {
    const types = 'order_request.approved,order_request.declined,order_request.expired';
    const answer = await who.call('wait_for_events', { after: start.next_after, types, wait: 0 });
    return answer.body.data.map(({ type, data }: { type: string; data: object }) => [type, data]);
  };
  const ends = [
    ['order_request.approved', { order_id: body.order_id, order_request_id: approved.id }],
    ['order_request.declined', { order_request_id: declined.id }],
    ['order_request.expired', { order_request_id: expired.id }],
  ];
  assert.deepEqual(await seen(agent), ends);
  assert.deepEqual(await seen(other), []);
  const types = 'order_request.declined';
  const feed = await organization.sandbox.get(`/v1/events?after=${start.next_after}&types=${types}`);
  assert.deepEqual(
    feed.body.data.map(({ data }: { data: object }) => data),
    [{ order_request_id: declined.id }],
  );
});

test('an erased recipient is exported before, and in no order that waits after', async () => {
  const agent = await askingAgent();
  const gift = (phone: string) => ({ ...linkGift(1_500), delivery: { method: 'phone', phone } });
  const { id, given } = await ask(agent, [gift('+44 (0)20 7946 0958'), gift('+12025550143')]);
  const recipient = { method: 'phone', phone: '+442079460958' } as const;
  const { organizations } = await exportRecipient(service.service.deps, { recipient, actor: OPERATOR });
  const [held] = organizations as { requests: { gift: object }[] }[];
  assert.deepEqual(
    held?.requests.map((one) => one.gift),
    [gift('+44 (0)20 7946 0958')],
  );
  await eraseRecipient(service.service.deps, { recipient, actor: OPERATOR });
  const { body } = await agent.call('get_order_request', { order_request_id: id });
  assert.deepEqual([body.status, body.reason], ['declined', 'The recipient’s name and address were erased.']);
  assert.equal((await agent.call('place_order', given)).body.status, 'declined');
  const left = await service.sql('select from gift_requests r where r::text like $1', ['%7946%']);
  assert.deepEqual(left, []);
});

test('after a crash between order and note, the agent finds the order, and an approval notes it', async () => {
  const agent = await askingAgent();
  const { id, given } = await ask(agent, [linkGift()]);
  const later = await createPortalClient(service, 'admin@example.com');
  const scope = { organizationId: organization.organizationUuid, environment: 'sandbox' } as const;
  const actor = {
    kind: 'member',
    email: 'admin@example.com',
    address: '::1',
    memberId: decodeId('mem', organization.memberId) ?? '',
  } as const;
  const decision = { requestId: decodeId('ask', id) ?? '', actor, organizationName: 'Test Organization' };
  const { deps } = killedAfter(service.service.deps, 8);
  await assert.rejects(approveRequest(deps, scope, decision), /killed/);
  const { order_id } = (await agent.call('place_order', given)).body;
  const { body } = await agent.call('get_order_request', { order_request_id: id });
  assert.deepEqual([body.status, body.order_id], ['approved', order_id]);
  assert.equal((await later.call('POST', path(`/${id}/approve`))).body.order_id, order_id);
});
