import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { emailGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createOperatorClient, type OperatorClient } from '../../harness/operator-client.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const REASON = 'They wrote to us on Monday.';
const service = openForFile(() => startTestService({ APPROVAL_ABOVE_CENTS: '100000', DATA_DIR: tmpdir() }));

let operator: OperatorClient;
let organization: TestOrganization;
const see = async (path: string) => {
  const { status, body } = await operator.call('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const act = async (method: string, path: string, body: object = {}) => {
  await operator.signInAgain();
  return operator.call(method, path, { ...body, reason: REASON });
};
const begin = async () => {
  organization ??= await service.organization({ live: 1_000_000, sandbox: 50_000 });
  operator ??= await createOperatorClient(service);
};

test('the list of organizations has their money, orders and faults', async () => {
  await begin();
  const other = await service.organization({ live: 0, sandbox: 0 });
  await service.sql(`update organizations set name = 'Bäckerei Süd' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  await organization.live.order([{ ...emailGift('ada'), delivery: { method: 'email', email: 'ada@example.com' } }]);
  await service.sql(`update gifts set delivery_state = 'failed' where organization_id = $1`, [
    organization.organizationUuid,
  ]);
  const { data, has_more: hasMore } = await see('/organizations');
  assert.equal(hasMore, false);
  const line = data.find(({ organization_id: id }: { organization_id: string }) => id === organization.organizationId);
  assert.equal(line.live_balance, 997_500);
  assert.equal(line.sandbox_balance, 50_000);
  assert.equal(line.failed_gifts, 1);
  assert.equal(line.suspended_at, null);
  assert.ok(Math.abs(Date.parse(line.last_order_at) - service.clock.now()) < 3_600_000, line.last_order_at);
  const names = async (query: string) =>
    (await see(`/organizations?query=${encodeURIComponent(query)}`)).data.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('BÄCKEREI'), ['Bäckerei Süd']);
  assert.deepEqual(await names(other.organizationId), ['Bäckerei Süd']);
  assert.deepEqual(await names('Missing'), []);
});

test('a list of gifts has no person, and the page of one gift is in the log', async () => {
  await begin();
  const list = await see(`/organizations/${organization.organizationId}/live/gifts`);
  const [gift] = list.data;
  assert.equal(gift.address, 'a•••@e•••.com');
  assert.equal(gift.recipient_name, null);
  const path = `/organizations/${organization.organizationId}/live/gifts`;
  assert.equal((await see(`${path}?query=${gift.gift_id}`)).data.length, 1);
  const guess = await operator.call('GET', `${path}?query=ada`);
  assert.deepEqual([guess.status, guess.body.error.param], [422, 'query'], 'a look that no log would have');
  const shown = await see(`/gifts/${gift.gift_id}`);
  assert.equal(shown.gift.address, 'ada@example.com');
  assert.equal(shown.organization_id, organization.organizationId);
  const { data } = await see('/log');
  assert.equal(data[0].action, 'showGift');
  assert.deepEqual(data[0].details, { gift_id: gift.gift_id });
});

test('one search finds gifts by card and code, organizations, members and requests, and the log has no secret', async () => {
  await begin();
  const { deps } = service.service;
  const { organizationId, organizationUuid } = organization;
  await addIssuer(deps, { organizationId: organizationUuid, kind: 'codes', settings: {}, actor: OPERATOR });
  const csv = 'value,code,shop\n25.00,HIDDEN-CODE-1,Beans\n';
  await uploadCodes(deps, { organizationId: organizationUuid, categoryId: 'coffee', csv, actor: OPERATOR });
  const [gift] = (await see(`/organizations/${organizationId}/live/gifts`)).data;
  const giftUuid = decodeId('gift', gift.gift_id);
  await service.sql('update shop_codes set gift_id = $2, handed_out_at = now() where organization_id = $1', [
    organizationUuid,
    giftUuid,
  ]);
  const find = async (text: string) => (await operator.call('POST', '/search', { query: text })).body;
  const byCode = (await find('HIDDEN-CODE-1')).gifts;
  assert.deepEqual(
    byCode.map((one: { gift_id: string; found_by: string }) => [one.gift_id, one.found_by]),
    [[gift.gift_id, 'code']],
  );
  assert.equal((await find('ada@example.com')).gifts[0].gift_id, gift.gift_id);
  assert.equal((await find(organizationId)).organizations[0].organization_id, organizationId);
  assert.equal((await find('admin@example.com')).members[0].organization_id, organizationId);
  const log = JSON.stringify((await see('/log')).body ?? (await see('/log')).data);
  assert.doesNotMatch(log, /HIDDEN|ada@|admin@/);
  const audited = await service.sql(
    `select action from audit_events where organization_id = $1 and action = 'gifts.looked_up'`,
    [organizationUuid],
  );
  assert.equal(audited.length, 1, 'the look by an address');
});

test('the organization reads in its audit log what an operator did, and why', async () => {
  await begin();
  const { organizationId } = organization;
  assert.equal((await act('PUT', `/organizations/${organizationId}/name`, { name: 'Acme' })).status, 204);
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body } = await admin.call('GET', `/organizations/${organizationId}/live/audit-events`);
  const [event] = body.data;
  assert.equal(event.sentence, `Renamed the organization from “Test Organization” to “Acme” (“${REASON}”)`);
  assert.equal(event.actor.name, 'the operator (olga@gifts.example)');
});

test('a large change of a balance waits for a second person, and an unusual one for a confirmation', async () => {
  await begin();
  const path = `/organizations/${organization.organizationId}/live/balance`;
  const small = { kind: 'funding', amount: 100, reference: 'small' };
  assert.equal((await act('POST', path, small)).body.state, 'done');
  assert.equal((await act('POST', path, small)).body.state, 'repeated');
  const large = { kind: 'funding', amount: 200_000, reference: 'large' };
  const { body: waiting } = await act('POST', path, large);
  assert.deepEqual([waiting.state, waiting.balance], ['waiting', null]);
  const own = await act('POST', `/approvals/${waiting.approval_id}/approve`);
  assert.match(own.body.error.message, /another person must approve it/);
  assert.equal((await see('/work')).approvals[0].approval_id, waiting.approval_id);
  const huge = { kind: 'funding', amount: 100_000_000, reference: 'huge' };
  const { body: unusual } = await act('POST', path, huge);
  assert.deepEqual([unusual.error.code, unusual.error.param], ['parameter_invalid', 'is_sure']);
  assert.equal((await act('POST', path, { ...huge, is_sure: true })).body.state, 'waiting');

  const second = await createOperatorClient(service, 'otto@gifts.example');
  const approved = await second.call('POST', `/approvals/${waiting.approval_id}/approve`, { reason: REASON });
  assert.equal(approved.status, 204);
  const { data } = await see(`/organizations/${organization.organizationId}/live/entries`);
  assert.equal(data[0].amount, 200_000);
  assert.match(data[0].note, /Requested by the operator \(olga@gifts.example\), approved by the operator \(otto/);
});

test('money at a glance is the trial balance, beside the bank as it was entered', async () => {
  await begin();
  const entered = await act('POST', '/bank-balances', { as_of: '2026-11-20', amount: 1_234_500 });
  assert.equal(entered.status, 204);
  const money = await see('/money');
  const { live } = money;
  const { data } = await see('/organizations');
  const sum = data.reduce((all: number, line: { live_balance: number }) => all + line.live_balance, 0);
  assert.equal(live.balances, sum);
  assert.equal(live.unclaimed, 2_500);
  assert.equal(money.bank.amount, 1_234_500);
  for (const one of money.trial_balance) assert.equal(one.sum, 0);
  const before = await see('/money?day=2026-11-19');
  assert.deepEqual([before.live.balances, before.bank], [0, null]);
  const csv = await operator.call('GET', '/money.csv?day=2026-11-21');
  assert.match(csv.body, /live,available,\d+\.\d\d/);
  const future = await operator.call('GET', '/money?day=2027-11-19');
  assert.equal(future.status, 422);
});

test('failing messages and queues are shown with their reasons and ages', async () => {
  await begin();
  await service.sql(
    `update deliveries set state = 'failed', reason = 'The mailbox is full.', settled_at = now()
     where organization_id = $1`,
    [organization.organizationUuid],
  );
  const { data } = await see('/messages/failing');
  assert.equal(data[0].reason, 'The mailbox is full.');
  assert.equal(data[0].address, 'a•••@e•••.com');
  assert.ok(Array.isArray((await see('/work')).queues));
});

test('health has the last verification of the ledger, and the doctor’s findings', async () => {
  await begin();
  const verified = await act('POST', '/ledger/verify');
  assert.equal(verified.body.holds, true);
  const health = await see('/health');
  assert.deepEqual(health.verification, verified.body);
  assert.ok(health.capacity.database_bytes > 0);
  const findings = await see('/health/findings');
  assert.ok(findings.data.some(({ check }: { check: string }) => check === 'ledger'));
});

test('an erased person is in the operator’s log by a masked address only', async () => {
  await begin();
  const recipient = { method: 'email', email: 'ada@example.com' };
  const { body } = await act('POST', '/recipients/erase', { recipient, organization_id: null });
  assert.equal(body.gifts, 1);
  const { data } = await see('/log');
  assert.deepEqual(data[0].details, { recipient: 'a•••@e•••.com' });
  assert.doesNotMatch(JSON.stringify(await service.sql('select details from portal.operator_events')), /ada@/);
});

test('no one changes the operator’s log', async () => {
  await begin();
  for (const text of ['update portal.operator_events set reason = null', 'delete from portal.operator_events'])
    await assert.rejects(service.sql(text), { code: '42501' });
});
