import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { approveRequest } from '../../../src/capabilities/gift-requests/decide-request.ts';
import { expireRequests } from '../../../src/capabilities/gift-requests/expire-requests.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { killedAfter } from '../../harness/batches.ts';
import { allowRequests, ask, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient, type PortalAnswer } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Gifts that members ask for, and admins approve. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const members = openForFile(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(() => createPortalClient(service, 'member@example.com'));
const path = (more = '') => requestsPath(organization, more);
const refusal = ({ status, body }: PortalAnswer) => [status, body.error?.code];
const balance = () => balanceOf(service, organization, 'sandbox');
const approve = (id: string) => admin.call('POST', path(`/${id}/approve`));
const decline = (id: string, body: object = {}) => admin.call('POST', path(`/${id}/decline`), body);
const withdraw = (id: string, who = member) => who.call('POST', path(`/${id}/withdraw`));
const show = async (id: string) => (await admin.call('GET', path(`/${id}`))).body;
const ordersOf = (id: string) =>
  service.sql<{ member_id: string }>('select member_id from orders where idempotency_key = $1', [id]);
const eventsOf = async (id: string) =>
  (
    await service.sql<{ event: string }>(
      `select action || ' by ' || actor_name as event from audit_events where target = $1 order by event_id`,
      [id],
    )
  ).map(({ event }) => event);
const mailsOf = async (id: string) =>
  (
    await service.sql<{ mail: string }>(
      `select kind || ' to ' || recipient as mail from notices where details ->> 'request_id' = $1 order by notice_id`,
      [id],
    )
  ).map(({ mail }) => mail);

test('members ask only if an admin allowed it, and buy nothing', async () => {
  assert.ok(members.member);
  const asked = { form_id: randomUUID(), gift: giftTo('ada@example.com') };
  const preview = { method: 'link', amount: 2500, category: 'coffee' };
  const orders = `/organizations/${organization.organizationId}/sandbox/orders`;
  assert.deepEqual(refusal(await member.call('POST', path(), asked)), [403, 'admin_required']);
  assert.deepEqual(refusal(await member.call('POST', `${orders}/preview`, preview)), [403, 'admin_required']);
  await allowRequests(admin, organization);
  const before = await balance();
  assert.equal((await member.call('POST', `${orders}/preview`, preview)).status, 200);
  assert.deepEqual(refusal(await member.call('POST', orders, { form_id: randomUUID(), gifts: [asked.gift] })), [
    403,
    'admin_required',
  ]);
  const { body } = await member.call('POST', path(), asked);
  assert.deepEqual(body, {
    gift_request_id: body.gift_request_id,
    state: 'open',
    amount: 2500,
    category: 'coffee',
    gifts: [
      {
        amount: 2500,
        category: 'coffee',
        method: 'email',
        address: 'ada@example.com',
        recipient_name: 'Ada',
        sender_name: null,
        message: 'Thank you',
        language: null,
        send_at: null,
      },
    ],
    requested_by: 'member@example.com',
    agent: null,
    is_own: true,
    created_at: body.created_at,
    expires_at: body.expires_at,
    decided_by: null,
    rule: null,
    doubt: null,
    decided_at: null,
    reason: null,
    order_id: null,
    batch_id: null,
    approvals: { needed: 1, given_by: [] },
    may_decide: false,
  });
  assert.equal(await ask(member, path(), asked.gift, asked.form_id), body.gift_request_id);
  assert.deepEqual(await ordersOf(body.gift_request_id), []);
  assert.equal(await balance(), before);
  assert.deepEqual(await eventsOf(body.gift_request_id), ['gift_request.created by member@example.com']);
  assert.deepEqual(await mailsOf(body.gift_request_id), [
    'gift_requested to admin@example.com',
    'gift_requested to second@example.com',
  ]);
  for (const [gift, param] of [
    [{ ...giftTo('ada@example.com'), category: 'nothing' }, 'category'],
    [giftTo('ada'), 'gift.delivery.email'],
    [giftTo('ada@example.com', 999), 'gift.amount'],
    [{ ...giftTo('ada@example.com'), personalization: { message: 'J\ufffdrg' } }, 'gift.personalization.message'],
  ] as const) {
    const refused = await member.call('POST', path(), { form_id: randomUUID(), gift });
    assert.deepEqual([...refusal(refused), refused.body.error.param], [422, 'parameter_invalid', param]);
  }
});

test('an approval buys the gift once, as an order of the admin', async () => {
  const before = await balance();
  const id = await ask(member, path(), giftTo('grace@example.com'));
  assert.deepEqual(refusal(await member.call('POST', path(`/${id}/approve`))), [403, 'admin_required']);
  const { status, body } = await approve(id);
  assert.deepEqual(
    [status, body.state, body.decided_by, body.gifts],
    [200, 'approved', 'admin@example.com', null],
    JSON.stringify(body),
  );
  assert.deepEqual((await approve(id)).body, body);
  assert.deepEqual(await ordersOf(id), [{ member_id: decodeId('mem', organization.memberId) }]);
  assert.equal(await balance(), before - 2500);
  const { body: order } = await organization.sandbox.get(`/v1/orders/${body.order_id}`);
  assert.deepEqual(
    [order.gifts[0].delivery.email, order.gifts[0].personalization.message],
    ['grace@example.com', 'Thank you'],
  );
  assert.deepEqual(await eventsOf(id), [
    'gift_request.created by member@example.com',
    'gift_request.approved by admin@example.com',
  ]);
  assert.equal((await mailsOf(id)).at(-1), 'gift_request_decided to member@example.com');
  assert.deepEqual(refusal(await decline(id)), [422, 'refused']);
  await verifyAll(service);
});

test('a refused order leaves the request open, and says why', async () => {
  const before = await balance();
  const steered = await ask(member, path(), giftTo('insufficient-balance@sandbox.gift.test'));
  assert.deepEqual(refusal(await approve(steered)), [402, 'insufficient_balance']);
  assert.equal((await show(steered)).state, 'open');
  const id = await ask(member, path(), { ...giftTo('ada@example.com'), category: 'books' });
  await service.sql(`update categories set retired_at = now() where category_id = 'books'`);
  assert.deepEqual(refusal(await approve(id)), [422, 'parameter_invalid']);
  await service.sql(`update categories set retired_at = null where category_id = 'books'`);
  const { organizationId } = organization;
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assert.deepEqual(refusal(await approve(id)), [403, 'organization_suspended']);
  const late = { form_id: randomUUID(), gift: giftTo('ada@example.com') };
  assert.deepEqual(refusal(await member.call('POST', path(), late)), [403, 'organization_suspended']);
  await reinstateOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assert.equal(await balance(), before);
  assert.equal((await approve(id)).body.state, 'approved');
});

test('a request is declined by admins, and withdrawn by its member only', async () => {
  const { organizationId } = organization;
  await addMember(service.service.deps, {
    organizationId,
    email: 'other@example.com',
    role: 'member',
    actor: OPERATOR,
  });
  const other = await createPortalClient(service, 'other@example.com');
  const [declined, withdrawn] = [
    await ask(member, path(), giftTo('ada@example.com')),
    await ask(member, path(), giftTo('ada@example.com')),
  ];
  for (const answer of [await withdraw(declined, other), await other.call('GET', path(`/${declined}`))])
    assert.deepEqual(refusal(answer), [404, 'not_found']);
  assert.deepEqual((await other.call('GET', path())).body.data, []);
  assert.deepEqual(refusal(await decline(declined, { reason: 'x'.repeat(281) })), [422, 'parameter_invalid']);
  const { body } = await decline(declined, { reason: 'Not this year' });
  assert.deepEqual([body.state, body.reason, body.gifts], ['declined', 'Not this year', null]);
  assert.equal((await withdraw(withdrawn)).body.state, 'withdrawn');
  for (const id of [declined, withdrawn]) {
    for (const late of [await approve(id), await decline(id), await withdraw(id)])
      assert.deepEqual(refusal(late), [422, 'refused']);
    assert.deepEqual(await ordersOf(id), []);
  }
  const listed = await member.call('GET', path('?state=declined'));
  assert.deepEqual(
    listed.body.data.map(({ gift_request_id }: { gift_request_id: string }) => gift_request_id),
    [declined],
  );
  const first = await admin.call('GET', path('?limit=1'));
  const next = await admin.call('GET', path(`?limit=1&after=${first.body.older}`));
  assert.deepEqual([first.body.data[0].gift_request_id, next.body.data[0].gift_request_id], [withdrawn, declined]);
});

test('after a crash between order and note, the next approval notes the same order', async () => {
  const before = await balance();
  const id = await ask(member, path(), giftTo('ada@example.com'));
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
  assert.equal((await ordersOf(id)).length, 1);
  assert.deepEqual(refusal(await decline(id)), [409, 'resource_locked']);
  await service.clock.jump(120_000);
  assert.deepEqual(refusal(await decline(id)), [409, 'resource_locked']);
  assert.equal((await approve(id)).body.state, 'approved');
  assert.equal((await ordersOf(id)).length, 1);
  assert.equal(await balance(), before - 2500);
});

test('an erased recipient is exported before, and in no request after', async () => {
  const id = await ask(member, path(), giftTo('erased@example.com'));
  const recipient = { method: 'email', email: 'Erased@example.com' } as const;
  const { organizations } = await exportRecipient(service.service.deps, { recipient, actor: OPERATOR });
  const [held] = organizations as { requests: { gift: object }[] }[];
  assert.deepEqual(held?.requests[0]?.gift, giftTo('erased@example.com'));
  await eraseRecipient(service.service.deps, { recipient, actor: OPERATOR });
  const { state, gifts, reason } = await show(id);
  assert.deepEqual([state, gifts, reason], ['declined', null, 'The recipient’s name and address were erased.']);
  const left = await service.sql('select from gift_requests r where r::text like $1', ['%erased@example.com%']);
  assert.deepEqual(left, []);
});

test('after 30 days an open request expires, and its gift is forgotten', async () => {
  const id = await ask(member, path(), giftTo('ada@example.com'));
  await service.clock.jump(29 * 86_400_000);
  await expireRequests(service.service.deps);
  assert.equal((await show(id)).state, 'open');
  await service.clock.jump(2 * 86_400_000);
  await expireRequests(service.service.deps);
  const again = await createPortalClient(service, 'admin@example.com');
  const { state, gifts, decided_by } = (await again.call('GET', path(`/${id}`))).body;
  assert.deepEqual([state, gifts, decided_by], ['expired', null, null]);
  assert.deepEqual(refusal(await again.call('POST', path(`/${id}/approve`))), [422, 'refused']);
});
