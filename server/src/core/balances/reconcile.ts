import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../../platform/api/schema.ts';
import { idBefore } from '../../platform/base/id-time.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { readReferences } from './read-references.ts';
import { countPeriodWithout, listPeriod, type ReferencedRow, selectByReferences } from './reconcile-queries.ts';
import { monthOf } from './show-statement.ts';

export const reconciledKinds = ['order', 'funding', 'all'] as const;
export type ReconciledKind = (typeof reconciledKinds)[number];

const ROWS_AT_ONCE = 1_000;
/** Of each result. */
const MAX_LINES = 500;

const Cents = nullable(Type.Integer({ description: 'Signed cents.' }));
const Count = Type.Integer();

export const Reconciliation = Type.Object(
  {
    counts: Type.Object({ matched: Count, differing: Count, missing_here: Count, missing_there: Count }),
    lines: Type.Array(
      Type.Object({
        result: oneOf('amount_differs', 'missing_here', 'missing_there'),
        reference: nullable(Type.String()),
        order_id: nullable(Type.String()),
        entry_id: nullable(Type.String()),
        amount_here: Cents,
        amount_there: Cents,
      }),
      { description: 'What does not match, at most 500 of each result.' },
    ),
  },
  { $id: 'Reconciliation' },
);
export type Reconciliation = Static<typeof Reconciliation>;
type Line = Reconciliation['lines'][number];

/**
 * Compares a customer's references and amounts with the ledger. A reference is an order's external id or id, an entry's
 * reference or id, or the id of a canceled gift. Amounts are compared without their sign, because a customer books an order
 * as a cost. A reference may be of any month; entries of the month that the file does not have are missing there.
 *
 * @param input `text`: a table as `readReferences` reads it; `month` such as `2026-11`; `kind` of the entries in the file
 * @throws BestowError `parameter_invalid`
 */
export async function reconcile(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  { text, month, kind }: { text: string; month: string; kind: ReconciledKind },
): Promise<Reconciliation> {
  const { from, to } = monthOf(month);
  const given = await readReferences(text);
  const owner = [organizationId, environment] as const;
  const found = new Map<string, Map<string, number>>();
  const seen = new Set<string>();
  for (const names of chunksOf([...given.keys()])) {
    const ids = names.flatMap((name) => uuidsOf(name).map((uuid) => [uuid, name] as const));
    const byId = [ids.map(([uuid]) => uuid), ids.map(([, name]) => name)] as const;
    for (const row of await selectByReferences(database.pool, [...owner, names, ...byId])) note(found, seen, row);
  }
  const report: Reconciliation = { counts: { matched: 0, differing: 0, missing_here: 0, missing_there: 0 }, lines: [] };
  for (const [reference, amount] of given) compare(report, reference, amount, found.get(reference));
  const kinds = kind === 'all' ? ['funding', 'adjustment', 'order', 'refund'] : [kind];
  const [first, below] = [idBefore(from), idBefore(to)];
  for (let above = first; ; ) {
    const rows = await listPeriod(database.pool, [...owner, above, below, kinds, ROWS_AT_ONCE]);
    for (const row of rows.filter(({ entry_id }) => !seen.has(entry_id)))
      add(report, 'missing_there', {
        reference: row.reference,
        order_id: row.order_id === null ? null : encodeId('ord', row.order_id),
        entry_id: encodeId('led', row.entry_id),
        amount_here: row.amount_cents,
        amount_there: null,
      });
    if (rows.length < ROWS_AT_ONCE) return report;
    if (report.counts.missing_there > MAX_LINES) break;
    above = rows.at(-1)?.entry_id ?? above;
  }
  // The other lines are only counted.
  const [missing] = await countPeriodWithout(database.pool, [...owner, first, below, kinds, [...seen]]);
  report.counts.missing_there = missing?.count ?? 0;
  return report;
}

const chunksOf = (names: readonly string[]) =>
  Array.from({ length: Math.ceil(names.length / ROWS_AT_ONCE) }, (_, n) =>
    names.slice(n * ROWS_AT_ONCE, (n + 1) * ROWS_AT_ONCE),
  );

const uuidsOf = (name: string): string[] =>
  (['ord', 'led', 'gift'] as const).map((prefix) => decodeId(prefix, name)).filter((uuid) => uuid !== undefined);

/** Remembers the entries of a reference: an order that its external id and its id name is one entry. */
function note(found: Map<string, Map<string, number>>, seen: Set<string>, row: ReferencedRow): void {
  const entries = found.get(row.reference) ?? new Map<string, number>();
  entries.set(row.entry_id, row.amount_cents);
  found.set(row.reference, entries);
  seen.add(row.entry_id);
}

function compare(report: Reconciliation, reference: string, amount: number, entries?: Map<string, number>): void {
  if (entries === undefined) {
    const missing = { reference, order_id: null, entry_id: null, amount_here: null, amount_there: amount };
    add(report, 'missing_here', missing);
    return;
  }
  const here = [...entries.values()].reduce((sum, cents) => sum + cents, 0);
  if (Math.abs(here) === Math.abs(amount)) {
    report.counts.matched += 1;
    return;
  }
  const [entryId = ''] = entries.keys();
  const entry_id = encodeId('led', entryId);
  add(report, 'amount_differs', { reference, order_id: null, entry_id, amount_here: here, amount_there: amount });
}

function add(report: Reconciliation, result: Line['result'], line: Omit<Line, 'result'>): void {
  const name = result === 'amount_differs' ? 'differing' : result;
  report.counts[name] += 1;
  if (report.counts[name] <= MAX_LINES) report.lines.push({ result, ...line });
}
