import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { portalBalance } from '../../harness/portal-balance.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { copyOrder } from '../../harness/portal-reads.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

async function prepare() {
  const organization = await service.organization({ sandbox: 10_000_000, live: 0 });
  const admin = await createPortalClient(service, 'admin@example.com');
  const portal = portalBalance(service, organization, admin);
  const place = async (amount: number, external_id?: string) => {
    const { status, body } = await organization.sandbox.post(
      '/v1/orders',
      { gifts: [linkGift(amount)], ...(external_id && { external_id }) },
      { 'Idempotency-Key': crypto.randomUUID() },
    );
    assert.equal(status, 201);
    return body.order_id as string;
  };
  const reconcile = async (csv: string, kind = 'order', month = '2026-11') =>
    await admin.call('POST', portal.at('/balance/reconciliations'), { csv, month, kind });
  return { organization, place, reconcile };
}

test('references are matched, missing on either side, or differ in their amount', async () => {
  const { place, reconcile } = await prepare();
  const [byId] = [
    await place(2_500),
    await place(1_500, 'our-1'),
    await place(3_000, 'our "2"'),
    await place(1_000, 'our-3'),
  ];
  const csv = `\uFEFFAmount;Name;Reference\r\n2500;Ann;${byId}\r\n-1000;;our-1\r\n-500;;our-1\r\n2900;;"our ""2"""\r\n700;;our-9\r\n`;
  const { status, body } = await reconcile(csv);
  assert.equal(status, 200);
  assert.deepEqual(body.counts, { matched: 2, differing: 1, missing_here: 1, missing_there: 1 });
  const [differs, here, there] = body.lines;
  const entry = (line: { entry_id: string }) => assert.match(line.entry_id, /^led_/);
  entry(differs);
  assert.deepEqual([differs.reference, differs.amount_here, differs.amount_there], ['our "2"', -3_000, 2_900]);
  assert.deepEqual([here.result, here.reference, here.amount_there], ['missing_here', 'our-9', 700]);
  entry(there);
  assert.deepEqual([there.result, there.reference, there.amount_here], ['missing_there', 'our-3', -1_000]);
});

test('a reference of another month matches, and entries of the month alone are missing', async () => {
  const { place, reconcile } = await prepare();
  await place(2_500, 'early');
  await service.clock.setTime(Date.parse('2026-12-02T00:00:00Z'));
  await place(1_500, 'late');
  const december = await reconcile('reference,amount\nearly,2500\n', 'order', '2026-12');
  assert.deepEqual(december.body.counts, { matched: 1, differing: 0, missing_here: 0, missing_there: 1 });
  const funding = await reconcile('reference,amount\nlate,1500\n', 'funding');
  assert.deepEqual(funding.body.counts, { matched: 1, differing: 0, missing_here: 0, missing_there: 1 });
  const all = await reconcile('reference,amount\nlate,1500\n', 'all');
  assert.equal(all.body.counts.missing_there, 2);
});

test('of a month with more entries than are shown, all are counted', async () => {
  const { organization, place, reconcile } = await prepare();
  await place(1_000, 'first');
  await copyOrder(service, organization, 1_500);
  const last = await place(1_000);
  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  const { body } = await reconcile(`reference,amount\nfirst,1000\n${last},1000\n`, 'order', month);
  assert.deepEqual(body.counts, { matched: 2, differing: 0, missing_here: 0, missing_there: 1_500 });
  assert.equal(body.lines.length, 500);
});

test('a file that is not such a CSV is refused, with its line', async () => {
  const { reconcile } = await prepare();
  for (const [csv, message] of [
    ['a,b\n1,2\n', /Line 1: the column reference is missing/],
    ['reference,amount\n', /no lines/],
    ['reference,amount\n"r1,1\nr2,2\n', /Line 2 opens a quotation that is not closed/],
    ['reference,amount\nr1,1\nr2,2,3\n', /Line 3 has 3 cells instead of 2/],
    ['sep=;\nreference;amount\nr1;10000,00\n', /amount of line 3 must be whole cents/],
    ['reference,amount\nr1,(10000)\n', /amount of line 2 must be whole cents/],
    ['reference,amount\nr\0,1\n', /Line 2: reference has a character that cannot be seen/],
    ['reference,amount\nx,1\nx,25.00\n', /amount of line 3 must be whole cents/],
    ['reference,amount\n,1\n', /Line 2 must have a reference/],
    [`reference,amount\n${'x,1\n'.repeat(10_001)}`, /more than 10000 rows/],
  ] as const) {
    const { status, body } = await reconcile(csv);
    assert.deepEqual([status, body.error.param], [422, 'csv']);
    assert.match(body.error.message, message);
  }
  assert.equal((await reconcile('reference,amount\nx,1\n', 'order', '2026-13')).status, 422);
});
