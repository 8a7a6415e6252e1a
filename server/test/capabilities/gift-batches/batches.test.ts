import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { forgetOldBatches } from '../../../src/capabilities/gift-batches/forget-old-batches.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { retireCategory } from '../../../src/core/catalog/retire-category.ts';
import { holdGifts, releaseGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { linkGift } from '../../harness/api-client.ts';
import { createSender, rowsTo, rowTo } from '../../harness/batches.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient, type PortalAnswer } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Many gifts that an admin sends from a file. */

const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(() => createPortalClient(service, 'member@example.com'));

const senderOf = (of: TestOrganization, environment: 'live' | 'sandbox' = 'sandbox') =>
  createSender(service, admin, of, environment);
const refusal = ({ status, body }: PortalAnswer) => [status, body.error?.code, body.error?.param];

async function newOrganization(cents?: Partial<Record<'live' | 'sandbox', number>>): Promise<TestOrganization> {
  const created = await service.organization(cents);
  await created.addMembers();
  return created;
}

test('a file becomes orders of ten under the batch’s keys, each row with its gift', async () => {
  const sender = senderOf(organization);
  const before = await balanceOf(service, organization, 'sandbox');
  const rows = [
    rowTo('ada@example.com', { personalization: { recipient_name: '=HYPERLINK("x")', message: 'Hi\nAda' } }),
    {
      amount: 2000,
      category: 'books',
      delivery: { method: 'phone', phone: '+44 (0)20 7946 0958' },
      external_id: 'r-2',
    },
    { amount: 3000, category: 'travel', delivery: { method: 'link' } },
    ...rowsTo(20),
    rowTo('processing@sandbox.gift.test'),
  ];
  const batchId = await sender.send(rows);
  const batch = await sender.settle(batchId);
  assert.deepEqual(
    [batch.state, batch.rows, batch.placed, batch.refused, batch.amount, batch.member, batch.stop],
    ['ended', 24, 24, 0, 27_000, 'admin@example.com', null],
  );
  assert.equal(await balanceOf(service, organization, 'sandbox'), before - 27_000);
  const { body: orders } = await member.call(
    'GET',
    `/organizations/${organization.organizationId}/sandbox/orders?query=${batchId}_3`,
  );
  assert.deepEqual([orders.data.length, orders.data[0].member.email], [1, 'admin@example.com']);
  const { body: first } = await member.call('GET', sender.path(`/${batchId}/rows?limit=3`));
  assert.equal(first.next, 3);
  const { body: gift } = await organization.sandbox.get(`/v1/gifts/${first.data[1].gift_id}`);
  assert.deepEqual(
    [gift.external_id, gift.delivery.phone, gift.amount, gift.category],
    ['r-2', '+442079460958', 2000, 'books'],
  );
  const { body: csv } = await member.call('GET', sender.path(`/${batchId}/results.csv`));
  assert.equal(csv.trim().split('\r\n').length, 25);
  assert.match(csv, /^Row,Result,Gift,/);
  assert.match(csv, /\r\n1,placed,gift_\w+,ord_\w+,sent,sent,10\.00,coffee,email,ada@example\.com,"'=HYPERLINK/);
  const kept = await service.sql('select from batch_rows where gift is not null or address is not null');
  assert.equal(kept.length, 0);
  const { body: listed } = await member.call('GET', sender.path());
  assert.equal(listed.data[0].batch_id, batchId);
  const other = await newOrganization();
  assert.deepEqual((await admin.call('GET', senderOf(other).path(`/${batchId}`))).status, 404);
});

test('a wrong row is named with its column before anything is bought', async () => {
  const sender = senderOf(organization);
  const wrong: [row: object, column: string][] = [
    [rowTo('ada'), 'email'],
    [{ ...rowTo('a@example.com'), amount: 999 }, 'amount'],
    [{ ...rowTo('a@example.com'), category: 'nothing' }, 'category'],
    [{ ...rowTo('a@example.com'), delivery: { method: 'post' } }, 'method'],
    [{ ...rowTo('a@example.com'), delivery: { method: 'phone', phone: '12' } }, 'phone'],
    [rowTo('a@example.com', { personalization: { message: 'a\tb' } }), 'message'],
    [rowTo('a@example.com', { personalization: { recipient_name: 'J\ufffdrg' } }), 'recipient_name'],
    [rowTo('a@example.com', { external_id: '' }), 'external_id'],
    [rowTo('a@example.com', { send_at: '2026-12-24' }), 'send_at'],
    [rowTo('a@example.com', { send_at: '2020-12-24T09:00:00Z' }), 'send_at'],
    [{ ...linkGift(), send_at: '2026-12-24T09:00:00Z' }, 'send_at'],
  ];
  const checked = await admin.call('POST', sender.path('/check'), { first_row: 5, rows: wrong.map(([row]) => row) });
  assert.deepEqual(
    checked.body.data.map(({ row, errors }: { row: number; errors: { column: string }[] }) => [row, errors[0]?.column]),
    wrong.map(([, column], n) => [5 + n, column]),
  );
  const { body } = await admin.call('POST', sender.path(), { form_id: randomUUID(), name: 'x', rows: 3 });
  const store = (first_row: number, rows: object[]) =>
    admin.call('PUT', sender.path(`/${body.batch_id}/rows`), { first_row, rows });
  const refused = await store(1, [rowTo('a@example.com'), rowTo('ada')]);
  assert.deepEqual(refusal(refused), [422, 'parameter_invalid', 'row 2, email']);
  assert.match(refused.body.error.message, /^Row 2: email must be an email address/);
  const lost = await store(1, [rowTo('a@example.com', { personalization: { message: 'Gr\ufffde' } })]);
  assert.deepEqual(refusal(lost), [422, 'parameter_invalid', 'row 1, message']);
  assert.match(lost.body.error.message, /^Row 1: message has the sign \ufffd\./);
  assert.deepEqual(refusal(await store(3, rowsTo(2))), [422, 'parameter_invalid', 'rows']);
  assert.equal((await store(1, rowsTo(2))).status, 204);
  assert.deepEqual(refusal(await sender.start(body.batch_id, 2000)), [422, 'refused', undefined]);
  assert.equal((await store(3, rowsTo(1))).status, 204);
  assert.deepEqual(refusal(await sender.start(body.batch_id, 2000)), [422, 'refused', undefined]);
  const unknown = { first_row: 1, rows: [rowTo('a@example.com', { metadata: {} })] };
  const strange = await admin.call('POST', sender.path('/check'), unknown);
  assert.deepEqual(refusal(strange), [422, 'parameter_invalid', 'rows[0].metadata']);
  const live = await admin.call('POST', senderOf(organization, 'live').path('/check'), {
    first_row: 1,
    rows: [rowTo('a@sandbox.gift.test')],
  });
  assert.equal(live.body.data[0].errors[0].column, 'email');
  const path = sender.path(`/${body.batch_id}/start`);
  assert.equal((await member.call('POST', path, { amount: 3000, accepts_duplicates: true })).status, 403);
});

test('recipients who had a gift or are in the file twice must be confirmed', async () => {
  const sender = senderOf(organization);
  const [row, ...others] = rowsTo(3);
  await sender.settle(await sender.send([row as { amount: number }]));
  const [again] = (await admin.call('POST', sender.path('/check'), { first_row: 1, rows: [row] })).body.data;
  assert.match(again.recent.gift_id, /^gift_/);
  const twice = [...others, { ...rowTo(String(others[0]?.delivery.email).toUpperCase()) }, row as object];
  const batchId = await sender.draft(twice);
  const refused = await sender.start(batchId, 4000);
  assert.deepEqual(refusal(refused), [422, 'refused', undefined]);
  assert.match(refused.body.error.message, /^2 rows are to people who had a gift/);
  assert.equal((await sender.start(batchId, 4000, true)).status, 200);
  assert.equal((await sender.settle(batchId)).placed, 4);
});

test('a batch that exceeds the balance places nothing', async () => {
  const poor = await newOrganization({ sandbox: 24_999 });
  const sender = senderOf(poor);
  const batchId = await sender.draft(rowsTo(25));
  assert.deepEqual(refusal(await sender.start(batchId, 25_000)), [402, 'insufficient_balance', undefined]);
  assert.equal((await sender.show(batchId)).state, 'draft');
  assert.equal(await balanceOf(service, poor, 'sandbox'), 24_999);
  await poor.fund('sandbox', 1);
  assert.equal((await sender.start(batchId, 25_000)).status, 200);
  assert.equal((await sender.settle(batchId)).placed, 25);
  assert.equal(await balanceOf(service, poor, 'sandbox'), 0);
});

test('a batch stops when others spend the balance, and goes on when it covers the rest', async () => {
  const poor = await newOrganization({ sandbox: 25_000 });
  const sender = senderOf(poor);
  const batchId = await sender.send(rowsTo(25));
  assert.equal((await poor.sandbox.order([linkGift(10_000)])).status, 201);
  const stopped = await sender.settle(batchId);
  assert.deepEqual([stopped.state, stopped.placed, stopped.stop.code], ['stopped', 10, 'insufficient_balance']);
  const resume = () => admin.call('POST', sender.path(`/${batchId}/resume`), {});
  assert.deepEqual(refusal(await resume()), [402, 'insufficient_balance', undefined]);
  await poor.fund('sandbox', 10_000);
  assert.equal((await resume()).status, 200);
  const { state, placed } = await sender.settle(batchId);
  assert.deepEqual([state, placed], ['ended', 25]);
  const orders = await service.sql('select from orders where idempotency_key like $1', [`${batchId}%`]);
  assert.equal(orders.length, 3);
});

test('a cap, a suspension, a hold or a lost role stops a batch with its reason', async () => {
  const { deps } = service.service;
  const rich = await newOrganization();
  const { organizationId } = rich;
  const sender = senderOf(rich, 'live');
  const stopOf = async (batchId: string) => (await sender.settle(batchId)).stop?.code;
  const resume = (batchId: string) => admin.call('POST', sender.path(`/${batchId}/resume`), {});
  await setCaps(deps, { organizationId, environment: 'live', amounts: { day: 15_000 }, actor: OPERATOR });
  const batchId = await sender.send(rowsTo(30));
  assert.equal(await stopOf(batchId), 'organization_cap_reached');
  await setCaps(deps, { organizationId, environment: 'live', amounts: { day: null }, actor: OPERATOR });
  assert.equal((await resume(batchId)).status, 200);
  await suspendOrganization(deps, { organizationId, actor: OPERATOR });
  assert.equal(await stopOf(batchId), 'organization_suspended');
  await reinstateOrganization(deps, { organizationId, actor: OPERATOR });
  await holdGifts(deps, { organizationId, actor: OPERATOR });
  assert.equal((await resume(batchId)).status, 200);
  assert.match((await sender.settle(batchId)).stop?.message ?? '', /^All gifts of this organization are on hold/);
  await releaseGifts(deps, { organizationId, actor: OPERATOR });
  assert.equal((await resume(batchId)).status, 200);
  await service.sql(`update members set role = 'member' where organization_id = $1 and email = 'admin@example.com'`, [
    rich.organizationUuid,
  ]);
  assert.equal(await stopOf(batchId), 'admin_required');
  assert.equal((await sender.show(batchId)).placed, 10);
});

test('a category retired after the start refuses its rows alone', async () => {
  const sender = senderOf(organization);
  const id = `retired-${randomUUID()}`;
  await service.addCategory(id);
  const rows = rowsTo(12).map((row, n) => (n === 2 || n === 9 ? { ...row, category: id } : row));
  const batchId = await sender.send(rows);
  await retireCategory(service.service.deps, id);
  const { placed, refused } = await sender.settle(batchId);
  assert.deepEqual([placed, refused], [10, 2]);
  const { body } = await admin.call('GET', sender.path(`/${batchId}/rows?result=refused`));
  assert.deepEqual(
    body.data.map(({ row, error }: { row: number; error: object }) => [row, error]),
    [3, 10].map((row) => [
      row,
      {
        code: 'parameter_invalid',
        message: 'category is not a category of the catalog. The categories are: coffee, books, travel.',
      },
    ]),
  );
});

test('rows that are not bought are exported, erased, and deleted after 30 days', async () => {
  const { deps } = service.service;
  const poor = await newOrganization({ sandbox: 30_000 });
  const sender = senderOf(poor);
  const { organizationId } = poor;
  const recipient = { method: 'email', email: 'Waiting@Example.com' } as const;
  const batchId = await sender.send([...rowsTo(10), rowTo('waiting@example.com'), rowTo('other@example.com')]);
  const draftId = await sender.draft(rowsTo(1));
  await poor.sandbox.order([linkGift(20_000)]);
  assert.equal((await sender.settle(batchId)).state, 'stopped');
  const held = await exportRecipient(deps, { organizationId, recipient, actor: OPERATOR });
  const [{ batch_rows }] = held.organizations as [{ batch_rows: { gift: { amount: number } }[] }];
  assert.deepEqual(
    batch_rows.map(({ gift }) => gift.amount),
    [1000],
  );
  await eraseRecipient(deps, { organizationId, recipient, actor: OPERATOR });
  const { refused } = await sender.show(batchId);
  assert.equal(refused, 1);
  const kept = () =>
    service.sql('select address from batch_rows where organization_id = $1 and gift is not null', [
      poor.organizationUuid,
    ]);
  assert.equal((await kept()).length, 2);
  await service.clock.jump(2 * DAY_MS);
  await forgetOldBatches(deps);
  assert.equal((await admin.call('GET', sender.path(`/${draftId}`))).status, 404);
  assert.deepEqual(await kept(), [{ address: 'other@example.com' }]);
  await service.clock.jump(29 * DAY_MS);
  await forgetOldBatches(deps);
  assert.deepEqual(await kept(), []);
  const ended = await service.sql('select state, placed_count, refused_count from batches where organization_id = $1', [
    poor.organizationUuid,
  ]);
  assert.deepEqual(ended, [{ state: 'ended', placed_count: 10, refused_count: 2 }]);
  await poor.sandbox.post('/v1/sandbox/reset', {});
  assert.deepEqual(await service.sql('select from batches where organization_id = $1', [poor.organizationUuid]), []);
  await verifyAll(service);
});

test('rows with a time are paid at once and sent then, and refused if it has passed', async () => {
  const of = await newOrganization({ sandbox: 100_000 });
  // With a fresh sign-in, after the clock was moved.
  const signIn = async () => {
    const client = await createPortalClient(service, 'admin@example.com');
    return { client, sender: createSender(service, client, of) };
  };
  const { client, sender } = await signIn();
  const inDays = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString();
  const sendAt = inDays(3);
  const [first, ...others] = rowsTo(3);
  const batchId = await sender.send([rowTo('later@example.com', { send_at: sendAt }), ...others]);
  assert.equal((await sender.settle(batchId)).placed, 3);
  assert.equal(await balanceOf(service, of, 'sandbox'), 97_000);
  const { body } = await client.call('GET', sender.path(`/${batchId}/rows`));
  const shown = async () => (await of.sandbox.get(`/v1/gifts/${body.data[0].gift_id}`)).body;
  assert.equal((await shown()).scheduled_for, sendAt);

  const late = await sender.draft([first ?? {}, rowTo('late@example.com', { send_at: inDays(1) })]);
  await service.clock.jump(2 * DAY_MS);
  const later = await signIn();
  assert.equal((await later.sender.start(late, 2000)).status, 200);
  const settled = await later.sender.settle(late);
  assert.deepEqual([settled.placed, settled.refused], [1, 1]);
  const { body: rows } = await later.client.call('GET', sender.path(`/${late}/rows`));
  assert.match(JSON.stringify(rows.data[1]), /send_at must be in the future/);
  assert.equal(await balanceOf(service, of, 'sandbox'), 96_000);
});
