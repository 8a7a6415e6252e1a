import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { replaceToken } from '../../../src/core/grants/replace-token.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { connectAgent } from '../../harness/agent.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import {
  askFor as ask,
  askingAgent as createAgent,
  ordersWith,
  limit as setLimit,
} from '../../harness/asked-orders.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient, type PortalAnswer } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Orders of agents above the amount of their grant, which wait for an admin. */

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const path = (more = '') => requestsPath(organization, more);
const balance = () => balanceOf(service, organization, 'sandbox');
const askingAgent = (askAbove?: number | null, more: object = {}) => createAgent(service, organization, askAbove, more);
const limit = (agent: { grant_id: string }, limits: Parameters<typeof setLimit>[3]) =>
  setLimit(service, organization, agent, limits);
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(() => createPortalClient(service, 'member@example.com'));
const refusal = ({ status, body }: PortalAnswer) => [status, body.error?.code];
const approve = (id: string) => admin.call('POST', path(`/${id}/approve`));
const show = async (id: string) => (await admin.call('GET', path(`/${id}`))).body;

test('an order above the amount waits, one up to the amount is placed, and without an amount none waits', async () => {
  const before = await balance();
  const agent = await askingAgent(2_500);
  const preview = await agent.call('preview_order', { gifts: [linkGift(1_500), linkGift(1_001)] });
  assert.equal(preview.body.needs_approval, true);
  assert.match(preview.body.next_step, /An admin must approve the order/);
  const { body, id } = await ask(agent, [linkGift(1_500), linkGift(1_001)]);
  const { portal_url, next_step, created_at, expires_at, ...rest } = body;
  assert.deepEqual(rest, {
    object: 'order_request',
    order_request_id: id,
    status: 'waiting_for_approval',
    amount: 2_501,
    currency: 'USD',
  });
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * DAY_MS);
  assert.equal(new URL(portal_url).pathname, `/portal/${organization.organizationId}/sandbox/gifts/requests/${id}`);
  assert.match(next_step, /Call get_order_request .* Do not order it again\.$/);
  assert.deepEqual((await agent.call('get_order_request', { order_request_id: id })).body, body);
  assert.equal(await balance(), before);
  const placed = await agent.call('place_order', await agent.preview({ gifts: [linkGift(2_500)] }));
  assert.equal(placed.body.status, 'processed');
  await limit(agent, { ask_above: 0 });
  await ask(agent, [linkGift(1_000)]);
  await limit(agent, { ask_above: null });
  const free = await agent.call('place_order', await agent.preview({ gifts: [linkGift(5_000)] }));
  assert.equal(free.body.status, 'processed');
  assert.equal(await balance(), before - 7_500);
});

test('an approval places the order of the grant under the preview’s token, and names the admin', async () => {
  const before = await balance();
  const agent = await askingAgent();
  const { given, id } = await ask(agent, [emailGift('delivered'), linkGift(1_000)], { external_id: 'party' });
  const shown = await show(id);
  assert.deepEqual(
    [shown.agent, shown.requested_by, shown.amount, shown.gifts.length, shown.is_own],
    ['Assistant', null, 3_500, 2, false],
  );
  const { status, body } = await approve(id);
  assert.deepEqual([status, body.state, body.decided_by, body.gifts], [200, 'approved', 'admin@example.com', null]);
  assert.deepEqual((await approve(id)).body, body);
  const [order] = await ordersWith(service, given);
  assert.deepEqual(order, {
    grant_id: decodeId('grant', agent.grant_id),
    member_id: decodeId('mem', organization.memberId),
  });
  const replay = (await agent.call('place_order', given)).body;
  assert.deepEqual([replay.order_id, replay.external_id, replay.gifts.length], [body.order_id, 'party', 2]);
  const request = (await agent.call('get_order_request', { order_request_id: id })).body;
  assert.deepEqual([request.status, request.order_id], ['approved', body.order_id]);
  assert.equal((await agent.call('get_order', { order_id: body.order_id })).body.order_id, body.order_id);
  assert.equal(await balance(), before - 3_500);
  const audited = await service.sql(
    `select action, actor_name, details from audit_events where target in ($1, $2) order by event_id`,
    [id, body.order_id],
  );
  assert.deepEqual(audited, [
    { action: 'order.placed', actor_name: 'admin@example.com', details: { gifts: 2, amount_cents: 3_500 } },
    {
      action: 'gift_request.approved',
      actor_name: 'admin@example.com',
      details: { amount_cents: 3_500, agent: 'Assistant' },
    },
  ]);
  const mails = await service.sql<{ recipient: string }>(
    `select recipient from notices where details ->> 'request_id' = $1 order by recipient`,
    [id],
  );
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['admin@example.com', 'second@example.com'],
  );
  await verifyAll(service);
});

test('a token that waits comes with another order: refused, and it names the request', async () => {
  const agent = await askingAgent();
  const { given, id } = await ask(agent, [linkGift()]);
  const { body } = await agent.call('place_order', { ...given, gifts: [linkGift(3_000)] });
  assert.deepEqual([body.error.code, body.error.param], ['parameter_invalid', 'preview_token']);
  assert.ok(body.error.message.includes(id));
  assert.match(body.error.next_step, /If it names a request, call get_order_request with its id/);
});

test('only the grant that asked sees its request; members see none, and decide none', async () => {
  const [agent, other] = [await askingAgent(), await askingAgent(2_000, { reach: 'all' })];
  const { id, given } = await ask(agent, [linkGift()]);
  for (const order_request_id of [id, 'ask_01h455vb4pex5vsknk084sn02q', 'nothing'])
    assert.equal((await other.call('get_order_request', { order_request_id })).body.error.code, 'resource_missing');
  assert.equal((await other.call('place_order', given)).body.error.code, 'parameter_invalid');
  assert.deepEqual((await member.call('GET', path())).body.data, []);
  assert.deepEqual(refusal(await member.call('GET', path(`/${id}`))), [404, 'not_found']);
  for (const act of ['approve', 'decline'])
    assert.deepEqual(refusal(await member.call('POST', path(`/${id}/${act}`), {})), [403, 'admin_required']);
  const key = await connectAgent(service.url, organization.keys.sandbox);
  assert.equal((await key.call('get_order_request', { order_request_id: id })).body.error.code, 'resource_missing');
  const { grant_id } = agent;
  const replaced = await replaceToken(service.service.deps, {
    organizationId: organization.organizationId,
    grantId: grant_id,
    overlapHours: 0,
    actor: OPERATOR,
  });
  const successor = await connectAgent(service.url, replaced.token);
  assert.equal((await successor.call('place_order', given)).body.order_request_id, id);
  assert.equal((await approve(id)).body.state, 'approved');
});

test('a cap, the balance or a rule that refuses the approval leaves the request open', async () => {
  const before = await balance();
  for (const [limits, expected] of [
    [{ order: 2_499 }, [403, 'not_granted']],
    [{ life: 2_499 }, [403, 'not_granted']],
    [{ recipient: 2_499 }, [402, 'insufficient_balance']],
    [{ hour: 2_499 }, [402, 'insufficient_balance']],
    [{ day: 2_499 }, [402, 'insufficient_balance']],
  ] as const) {
    const agent = await askingAgent();
    const { id } = await ask(agent, [emailGift('delivered')]);
    await limit(agent, limits);
    assert.deepEqual(refusal(await approve(id)), expected);
    assert.equal((await show(id)).state, 'open');
    await limit(agent, { order: null, life: 2_500, recipient: null, hour: null, day: null });
    assert.equal((await approve(id)).body.state, 'approved');
    // It counts for the grant.
    const { body } = await agent.call('preview_order', { gifts: [linkGift(1_000)] });
    assert.equal(body.refusal.code, 'not_granted');
  }
  const agent = await askingAgent();
  const { id } = await ask(agent, [emailGift('insufficient-balance')]);
  assert.deepEqual(refusal(await approve(id)), [402, 'insufficient_balance']);
  assert.equal((await show(id)).state, 'open');
  assert.equal(await balance(), before - 5 * 2_500);
});

test('a hundred orders of a grant wait at most', async () => {
  const agent = await askingAgent();
  const previews = await Promise.all(Array.from({ length: 101 }, () => agent.preview({ gifts: [linkGift()] })));
  const statuses: string[] = [];
  for (const given of previews) {
    const { body } = await agent.call('place_order', given);
    statuses.push(body.status ?? body.error.code);
  }
  assert.deepEqual(statuses, [...Array(100).fill('waiting_for_approval'), 'not_granted']);
});
