import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adjustBalance } from '../../src/balances/change-balance.ts';
import { exportEntries } from '../../src/balances/export-entries.ts';
import { type EntrySearch, listEntries } from '../../src/balances/list-entries.ts';
import { listStatementMonths } from '../../src/balances/list-statement-months.ts';
import type { LedgerEntry, Statement } from '../../src/balances/portal-schema.ts';
import { showStatement } from '../../src/balances/show-statement.ts';
import { summarizeDays } from '../../src/balances/summarize-days.ts';
import { idBefore } from '../../src/base/id-time.ts';
import { decodeId } from '../../src/base/ids.ts';
import type { Scope } from '../../src/base/principal.ts';
import type { PageRequest } from '../../src/paging/read-page.ts';
import { allowChanges } from '../harness/allow-changes.ts';
import { linkGift } from '../harness/api-client.ts';
import { balanceOf, verifyAll } from '../harness/ledger.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { OPERATOR } from '../harness/operator.ts';
import { assertCursorRefused, assertPages, copyOrder, impossibleCursors, scopeOf } from '../harness/portal-reads.ts';
import { startTestService, type TestOrganization } from '../harness/test-service.ts';

/** The portal's ledger: its list, and the statement of a month. */

// Registered before the service, because hooks run in this order.
after(() => verifyAll(service));
const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ sandbox: 100_000 }));
const scope = openForFile(async () => scopeOf(organization));
let all: LedgerEntry[];
/** In two months, around the last moment of the first. */
const times = ['2026-11-25T08:00:00Z', '2026-11-30T23:59:59.900Z', '2026-12-01T00:00:00Z', '2026-12-24T18:00:00Z'];

before(async () => {
  for (const time of times) {
    await service.clock.setTime(time);
    await organization.sandbox.order([linkGift(1000), linkGift(1500)]);
    await organization.fund('sandbox', 5000);
    await adjust(organization, -700);
  }
  const stranger = await service.organization();
  for (const client of [organization.live, stranger.sandbox]) await client.order([linkGift()]);
  await adjust(stranger, 5);
  all = (await list({ limit: 100 })).rows;
  assert.equal(all.length, 13);
});

const list = (request: EntrySearch & PageRequest, of = scope) => listEntries(service.service.deps, of, request);
const statement = (month: string, of = scope) => showStatement(service.service.deps, of, month);
const adjust = ({ organizationId }: TestOrganization, amountCents: number) =>
  adjustBalance(service.service.deps, {
    organizationId,
    environment: 'sandbox',
    amountCents,
    reference: `Credit note ${organizationId} ${service.clock.now()}`,
    note: 'Given back',
    actor: OPERATOR,
  });
const uuid = (id: string) => decodeId('led', id) ?? '';

test('each entry’s balance continues from the one before, to the balance', async () => {
  assert.equal(all[0]?.balance_after, await balanceOf(service, organization, 'sandbox'));
  for (const [n, { amount, balance_after }] of all.entries())
    assert.equal(balance_after - amount, all[n + 1]?.balance_after ?? 0);
});

test('every filter returns exactly its matches at any page size', async () => {
  const [, last, first] = times.map((time) => new Date(time)) as [Date, Date, Date];
  const kinds = ['funding', 'adjustment', 'order', 'refund'] as const;
  const cases: [EntrySearch, (entry: LedgerEntry) => boolean][] = [
    [{}, () => true],
    ...kinds.map((kind): (typeof cases)[number] => [{ kind }, (one) => one.kind === kind]),
    [{ from: first }, (one) => one.created_at >= first],
    [{ to: first }, (one) => one.created_at < first],
    [{ from: last, to: first }, (one) => one.created_at.getTime() === last.getTime()],
    [{ from: first, to: last }, () => false],
    ...kinds.map((kind): (typeof cases)[number] => [
      { kind, from: first },
      (one) => one.kind === kind && one.created_at >= first,
    ]),
  ];
  for (const [filter, isFound] of cases) {
    const expected = all.filter(isFound);
    await assertPages((request) => list({ ...filter, ...request }), expected, JSON.stringify(filter));
    const exported = await Array.fromAsync(exportEntries(service.service.deps, scope, filter));
    assert.deepEqual(exported, expected, JSON.stringify(filter));
  }
});

test('foreign entries are never listed and are invalid cursors', async () => {
  const stranger = await service.organization();
  for (const its of [scopeOf(stranger), scopeOf(organization, 'live')]) {
    const [foreign] = (await list({ limit: 1 }, its)).rows as [LedgerEntry];
    assert.ok(!all.some(({ entry_id }) => entry_id === foreign.entry_id));
    await assertCursorRefused(list, foreign.entry_id);
  }
  for (const cursor of impossibleCursors('led', uuid(all[0]?.entry_id ?? ''))) await assertCursorRefused(list, cursor);
});

const sumsOf = (entries: readonly LedgerEntry[]) => {
  const of = (kind: LedgerEntry['kind']) => {
    const amounts = entries.filter((entry) => entry.kind === kind).map(({ amount }) => amount);
    return { entries: amounts.length, amount: amounts.reduce((sum, amount) => sum + amount, 0) };
  };
  return { funding: of('funding'), adjustment: of('adjustment'), order: of('order'), refund: of('refund') };
};

/** What the statement must say, from the entries alone. */
function expectedStatement(month: string, entries: readonly LedgerEntry[], isFinal: boolean): Statement {
  const inMonth = entries.filter(({ created_at }) => created_at.toISOString().startsWith(month)).toReversed();
  const opening = entries.find(({ created_at }) => created_at.toISOString().slice(0, 7) < month)?.balance_after ?? 0;
  const days = [...new Set(inMonth.map(({ created_at }) => created_at.toISOString().slice(0, 10)))];
  return {
    month,
    from: new Date(`${month}-01`),
    to: new Date(Date.UTC(+month.slice(0, 4), +month.slice(5))),
    is_final: isFinal,
    opening_balance: opening,
    totals: sumsOf(inMonth),
    entry_count: inMonth.length,
    closing_balance: inMonth.at(-1)?.balance_after ?? opening,
    days: days.map((day) => ({
      day: new Date(day),
      ...sumsOf(inMonth.filter(({ created_at }) => created_at.toISOString().startsWith(day))),
    })),
    entries: inMonth,
  };
}

test('a statement adds up, and the next one starts at its closing balance', async () => {
  const months = ['2026-10', '2026-11', '2026-12', '2027-01'];
  for (const month of months)
    assert.deepEqual(await statement(month), expectedStatement(month, all, month < '2026-12'), month);
  const [, november, december, january] = await Promise.all(months.map((month) => statement(month)));
  assert.equal(november?.closing_balance, december?.opening_balance);
  assert.equal(december?.closing_balance, await balanceOf(service, organization, 'sandbox'));
  assert.equal(january?.opening_balance, december?.closing_balance);
  assert.deepEqual([november?.entry_count, december?.entry_count, january?.entry_count], [7, 6, 0]);
});

test('every month since the first entry has a statement', async () => {
  const months = (of: Scope) => listStatementMonths(service.service.deps, of);
  assert.deepEqual(await months(scope), ['2026-12', '2026-11']);
  const empty = await service.organization({ sandbox: 0 });
  assert.deepEqual(await months(scopeOf(empty)), []);
  const young = await service.organization();
  assert.deepEqual(await months(scopeOf(young)), ['2026-12']);
  const none = await statement('2026-12', scopeOf(empty));
  assert.deepEqual(none, expectedStatement('2026-12', [], false));
});

test('a month’s balance is right if an order’s id precedes an earlier funding', async () => {
  const other = await service.organization({ sandbox: 10_000 });
  const [funding] = (await list({ limit: 1 }, scopeOf(other))).rows as [LedgerEntry];
  await other.sandbox.order([linkGift(1000)]);
  const [order] = (await list({ limit: 1 }, scopeOf(other))).rows as [LedgerEntry];
  await allowChanges(service.sql, ['ledger_entries']);
  // By its id the funding is January's and the order December's, but the order was paid from the funding.
  for (const [time, entry] of [
    ['2027-01-01T00:00:00Z', funding],
    ['2026-12-31T23:59:59.999Z', order],
  ] as const)
    await service.sql('update ledger_entries set entry_id = $2, created_at = $3 where entry_id = $1', [
      uuid(entry.entry_id),
      idBefore(new Date(time)).replace('-0000-0000-', '-7000-8000-'),
      time,
    ]);
  const [december, january] = [await statement('2026-12', scopeOf(other)), await statement('2027-01', scopeOf(other))];
  const figures = (of: Statement) => [
    of.opening_balance,
    of.totals.order.amount,
    of.totals.funding.amount,
    of.closing_balance,
  ];
  assert.deepEqual(figures(december), [0, -1000, 0, -1000]);
  assert.deepEqual(figures(january), [-1000, 0, 10_000, 9000]);
  assert.deepEqual([december.entries?.length, january.entries?.length], [1, 1]);
});

test('a statement of over a thousand entries has days and the same sums', async () => {
  const busy = await service.organization({ sandbox: 10_000_000 });
  for (let n = 0; n < 3; n += 1) await busy.sandbox.order([linkGift(1000)]);
  const short = await statement('2026-12', scopeOf(busy));
  assert.equal(short.entries?.length, 4);
  await copyOrder(service, busy, 996);
  assert.equal((await statement('2026-12', scopeOf(busy))).entries?.length, 1000);
  await copyOrder(service, busy, 1);
  const long = await statement('2026-12', scopeOf(busy));
  const order = { entries: 1000, amount: -1_000_000 };
  assert.deepEqual(long, {
    ...short,
    totals: { ...short.totals, order },
    days: [{ ...short.days[0], order }],
    entry_count: 1001,
    closing_balance: 9_000_000,
    entries: null,
  });
});

test('a day’s sum reads one snapshot while funds are added', async () => {
  const busy = await service.organization({ sandbox: 0 });
  const { pool } = service.service.deps.database.laneOf(busy.organizationUuid);
  const connect = pool.connect.bind(pool);
  // Between any two statements of the sum.
  const changed = pool.connect.bind(pool) as typeof pool.connect;
  let looks = 0;
  pool.connect = (async () => {
    const client = await (changed as typeof connect)();
    const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
    client.query = (async (...asked: unknown[]) => {
      const answer = await query(...asked);
      if (JSON.stringify(asked[0]).includes('ledger_entries')) {
        looks += 1;
        pool.connect = connect;
        await busy.fund('sandbox', 100);
      }
      return answer;
    }) as typeof client.query;
    return client;
  }) as typeof pool.connect;
  try {
    const today = (await summarizeDays(service.service.deps, scopeOf(busy))).at(-1);
    assert.deepEqual([today?.orders, today?.amount], [0, 0]);
    assert.ok(looks > 0);
  } finally {
    pool.connect = connect;
  }
});
