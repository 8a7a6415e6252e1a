import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { idBefore } from '../../../src/platform/base/id-time.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { allowChanges } from '../../harness/allow-changes.ts';
import { linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import type { PortalAnswer } from '../../harness/portal-client.ts';
import { portalReader } from '../../harness/portal-reader.ts';
import { copyOrder } from '../../harness/portal-reads.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** The months of the portal's ledger. */

// Registered before the service, because hooks run in this order.
after(() => verifyAll(service));
const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization({ sandbox: 100_000 }));
const portal = portalReader(service);

interface Entry {
  entry_id: string;
  kind: string;
  amount: number;
  balance_after: number;
  created_at: string;
}
/** The organization's entries, newest first. */
let all: Entry[];

const entriesOf = async (of: TestOrganization): Promise<Entry[]> =>
  (await portal.get(of, '/balance/entries?limit=100')).data;
const statement = (month: string, of: TestOrganization = organization) =>
  portal.get(of, `/balance/statements/${month}`);

before(async () => {
  // In two months, around the last moment of the first.
  for (const time of [
    '2026-11-25T08:00:00Z',
    '2026-11-30T23:59:59.900Z',
    '2026-12-01T00:00:00Z',
    '2026-12-24T18:00:00Z',
  ]) {
    await service.clock.setTime(time);
    await organization.sandbox.order([linkGift(1000), linkGift(1500)]);
    await organization.fund('sandbox', 5000);
    await changeOrRepeat(service.service.deps, {
      kind: 'adjustment',
      organizationId: organization.organizationId,
      environment: 'sandbox',
      amountCents: -700,
      reference: `Credit note ${time}`,
      note: 'Given back',
      actor: OPERATOR,
    });
  }
  all = await entriesOf(organization);
  assert.equal(all.length, 13);
});

const sumsOf = (entries: readonly Entry[]) =>
  Object.fromEntries(
    ['funding', 'adjustment', 'order', 'refund'].map((kind) => {
      const amounts = entries.filter((entry) => entry.kind === kind).map(({ amount }) => amount);
      return [kind, { entries: amounts.length, amount: amounts.reduce((sum, amount) => sum + amount, 0) }];
    }),
  );

/** What the statement must say, from the entries alone. */
function expectedStatement(month: string, entries: readonly Entry[], isFinal: boolean) {
  const inMonth = entries.filter(({ created_at }) => created_at.startsWith(month)).toReversed();
  const opening = entries.find(({ created_at }) => created_at.slice(0, 7) < month)?.balance_after ?? 0;
  const days = [...new Set(inMonth.map(({ created_at }) => created_at.slice(0, 10)))];
  return {
    month,
    from: `${month}-01T00:00:00.000Z`,
    to: new Date(Date.UTC(+month.slice(0, 4), +month.slice(5))).toISOString(),
    is_final: isFinal,
    opening_balance: opening,
    totals: sumsOf(inMonth),
    entry_count: inMonth.length,
    closing_balance: inMonth.at(-1)?.balance_after ?? opening,
    days: days.map((day) => ({
      day: `${day}T00:00:00.000Z`,
      ...sumsOf(inMonth.filter(({ created_at }) => created_at.startsWith(day))),
    })),
    entries: inMonth,
  };
}

test('a statement adds up, and the next one starts at its closing balance', async () => {
  const months = ['2026-10', '2026-11', '2026-12', '2027-01'];
  const read = [];
  for (const month of months) read.push(await statement(month));
  assert.deepEqual(
    read,
    months.map((month) => expectedStatement(month, all, month < '2026-12')),
  );
  const [, november, december, january] = read as [
    unknown,
    PortalAnswer['body'],
    PortalAnswer['body'],
    PortalAnswer['body'],
  ];
  assert.equal(november.closing_balance, december.opening_balance);
  assert.equal(december.closing_balance, await balanceOf(service, organization, 'sandbox'));
  assert.equal(january.opening_balance, december.closing_balance);
  assert.deepEqual([november.entry_count, december.entry_count, january.entry_count], [7, 6, 0]);
});

test('every month since the first entry has a statement', async () => {
  const months = async (of: TestOrganization) => (await portal.get(of, '/balance/statements')).data;
  assert.deepEqual(await months(organization), ['2026-12', '2026-11']);
  const empty = await service.organization({ sandbox: 0 });
  assert.deepEqual(await months(empty), []);
  assert.deepEqual(await months(await service.organization()), ['2026-12']);
  assert.deepEqual(await statement('2026-12', empty), expectedStatement('2026-12', [], false));
});

test('a month’s balance is right if an order’s id precedes an earlier funding', async () => {
  const other = await service.organization({ sandbox: 10_000 });
  await other.sandbox.order([linkGift(1000)]);
  const [order, funding] = (await entriesOf(other)).map(({ entry_id }) => entry_id);
  await allowChanges(service.sql, ['ledger_entries']);
  // By its id the funding is January's and the order December's, but the order was paid from the funding.
  for (const [time, entry = ''] of [
    ['2027-01-01T00:00:00Z', funding],
    ['2026-12-31T23:59:59.999Z', order],
  ] as const)
    await service.sql('update ledger_entries set entry_id = $2, created_at = $3 where entry_id = $1', [
      decodeId('led', entry),
      idBefore(new Date(time)).replace('-0000-0000-', '-7000-8000-'),
      time,
    ]);
  for (const [month, figures] of [
    ['2026-12', [0, -1000, 0, -1000, 1]],
    ['2027-01', [-1000, 0, 10_000, 9000, 1]],
  ] as const) {
    const { opening_balance, totals, closing_balance, entries } = await statement(month, other);
    assert.deepEqual(
      [opening_balance, totals.order.amount, totals.funding.amount, closing_balance, entries.length],
      figures,
    );
  }
});

test('a statement of over a thousand entries has days and the same sums', async () => {
  const busy = await service.organization({ sandbox: 10_000_000 });
  for (let n = 0; n < 3; n += 1) await busy.sandbox.order([linkGift(1000)]);
  const short = await statement('2026-12', busy);
  assert.equal(short.entries.length, 4);
  await copyOrder(service, busy, 996);
  assert.equal((await statement('2026-12', busy)).entries.length, 1000);
  await copyOrder(service, busy, 1);
  const order = { entries: 1000, amount: -1_000_000 };
  assert.deepEqual(await statement('2026-12', busy), {
    ...short,
    totals: { ...short.totals, order },
    days: [{ ...short.days[0], order }],
    entry_count: 1001,
    closing_balance: 9_000_000,
    entries: null,
  });
});
