import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { formatDay, formatMoney } from '../../ui/formats.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Change, type Entry, EntryText } from './balance-entry.tsx';

type Statement = components['schemas']['Statement'];

const headClass = 'px-2 py-2 font-semibold whitespace-nowrap first:pl-0 last:pr-0';
const cellClass = 'px-2 py-2 first:pl-0 last:pr-0';
const rowClass = 'break-inside-avoid border-b border-line align-top last:border-0';

/** The entries of the month, oldest first, or the sums of each day if there are too many entries to print. */
export function StatementLines({ statement: { entries, days } }: { statement: Statement }) {
  if (entries === null) return <Days days={days} />;
  if (entries.length === 0) return <EmptyState title="No entries this month" />;
  return <Entries entries={entries} />;
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { currency } = useScope();
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">Entries, oldest first</caption>
      <thead>
        <tr className="border-b border-line-strong text-left text-sm text-soft">
          <th scope="col" className={`${headClass} hidden sm:table-cell print:table-cell`}>
            Day
          </th>
          <th scope="col" className={`${headClass} max-sm:pl-0`}>
            Entry
          </th>
          <th scope="col" className={`${headClass} text-right max-sm:pr-0`}>
            Amount
          </th>
          <th scope="col" className={`${headClass} hidden text-right sm:table-cell print:table-cell`}>
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.entry_id} className={rowClass}>
            <td className={`${cellClass} hidden whitespace-nowrap sm:table-cell print:table-cell`}>
              {formatDay(entry.created_at)}
            </td>
            <td className={`${cellClass} max-sm:pl-0`}>
              <EntryText entry={entry} />
              <span className="text-sm text-soft sm:hidden print:hidden">{formatDay(entry.created_at)}</span>
            </td>
            <td className={`${cellClass} text-right max-sm:pr-0`}>
              <Change cents={entry.amount} />
            </td>
            <td className={`${cellClass} hidden text-right whitespace-nowrap sm:table-cell print:table-cell`}>
              {formatMoney(entry.balance_after, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const kinds = [
  { key: 'funding', header: 'Funds added' },
  { key: 'adjustment', header: 'Corrections' },
  { key: 'order', header: 'Orders' },
  { key: 'refund', header: 'Refunds' },
] as const;

function Days({ days }: { days: Statement['days'] }) {
  return (
    <>
      <p className="mb-3 text-soft">
        There are too many entries to print, so this shows daily totals. The CSV export has every entry.
      </p>
      <table className="w-full border-collapse">
        <caption className="sr-only">Daily totals, oldest first</caption>
        <thead>
          <tr className="border-b border-line-strong text-left text-sm text-soft">
            <th scope="col" className={headClass}>
              Day
            </th>
            {kinds.map(({ key, header }) => (
              <th key={key} scope="col" className={`${headClass} text-right`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day} className={rowClass}>
              <td className={`${cellClass} whitespace-nowrap`}>{formatDay(day.day)}</td>
              {kinds.map(({ key }) => (
                <td key={key} className={`${cellClass} text-right`}>
                  <Change cents={day[key].amount} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
