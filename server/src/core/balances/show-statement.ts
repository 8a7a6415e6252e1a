import { readMonth } from 'bestow-readers/time.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { idBefore, startOfDay } from '../../platform/base/id-time.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { listEntries } from './entry-queries.ts';
import { presentEntry } from './list-entries.ts';
import type { EntryKind, LedgerEntry, Statement } from './portal-schema.ts';
import { type LedgerDay, sumDays } from './sum-days.ts';

/** A statement with more entries shows days only, so that it can be printed. */
const MAX_ENTRIES = 1_000;

/**
 * Shows the statement of one month. The opening balance and the totals add up to the closing balance.
 *
 * @param month such as `2026-11`
 * @throws BestowError `parameter_invalid`
 */
export async function showStatement(
  deps: Pick<Deps, 'clock' | 'database'>,
  scope: Scope,
  month: string,
): Promise<Statement> {
  const { from, to } = monthOf(month);
  const range = [scope.organizationId, scope.environment, idBefore(from), idBefore(to)] as const;
  const rows = await listEntries.all.ascending(deps.database.pool, [...range, MAX_ENTRIES + 1, null]);
  const sums = await sumDays(deps, scope, from, to);
  const isShort = rows.length <= MAX_ENTRIES;
  // Entries may be added between the two queries, so sum the listed entries.
  const days = isShort ? daysOf(rows.map(presentEntry), from, to) : sums.days.filter(hasEntries);
  const totals = addUp(days);
  return {
    month,
    from,
    to,
    is_final: deps.clock.now() >= to.getTime(),
    opening_balance: sums.opening_balance,
    totals,
    entry_count: kinds.reduce((count, kind) => count + totals[kind].entries, 0),
    closing_balance: kinds.reduce((cents, kind) => cents + totals[kind].amount, sums.opening_balance),
    days,
    entries: isShort ? rows.map(presentEntry) : null,
  };
}

/** The first moment of a month in UTC, and of the next one. @throws BestowError `parameter_invalid` */
export function monthOf(month: string): { from: Date; to: Date } {
  const read = readMonth(month);
  if (read === undefined)
    throw new BestowError('parameter_invalid', { param: 'month', message: 'month must be a month such as 2026-11.' });
  return read;
}

const kinds = ['funding', 'adjustment', 'order', 'refund'] as const satisfies EntryKind[];
const noSums = () => ({
  funding: { entries: 0, amount: 0 },
  adjustment: { entries: 0, amount: 0 },
  order: { entries: 0, amount: 0 },
  refund: { entries: 0, amount: 0 },
});
const hasEntries = (day: LedgerDay) => kinds.some((kind) => day[kind].entries > 0);

function daysOf(entries: readonly LedgerEntry[], from: Date, to: Date): LedgerDay[] {
  const days = new Map<number, LedgerDay>();
  for (const { created_at, kind, amount } of entries) {
    // The id determines the month; its time may differ from `created_at` by milliseconds.
    const startMs = startOfDay(Math.min(Math.max(created_at.getTime(), from.getTime()), to.getTime() - 1));
    const day = days.get(startMs) ?? { day: new Date(startMs), ...noSums() };
    day[kind].entries += 1;
    day[kind].amount += amount;
    days.set(startMs, day);
  }
  return [...days.values()].sort((a, b) => a.day.getTime() - b.day.getTime());
}

function addUp(days: readonly LedgerDay[]): Statement['totals'] {
  const totals = noSums();
  for (const day of days)
    for (const kind of kinds) {
      totals[kind].entries += day[kind].entries;
      totals[kind].amount += day[kind].amount;
    }
  return totals;
}
