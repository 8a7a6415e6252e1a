import { useScope } from '../../api/use-scope.ts';
import { countOf, formatCount, formatMoney, formatPlannedTime } from '../../ui/formats.ts';
import { LeftOutList } from '../file/left-out-list.tsx';
import { Line } from '../send/send-review.tsx';
import { type CheckedFile, type Row, sumOf } from './check.ts';

interface ReviewSumsProps {
  file: CheckedFile;
  /** Cents of the balance; undefined while it loads. */
  available: number | undefined;
}

/** What became gifts and what did not, and the money. */
export function ReviewSums({ file: { rows, lines, leftOut, unused }, available }: ReviewSumsProps) {
  const { currency, environment } = useScope();
  const cents = sumOf(rows);
  const scheduled = rows.flatMap(({ gift }) => gift?.send_at ?? []);
  const times = new Set(scheduled);
  const count = formatCount(scheduled.length);
  const cleaned = rows.filter(({ removed }) => removed.length > 0).length;
  return (
    <>
      <dl>
        <Line name="Rows" value={formatCount(lines)} />
        {leftOut.length > 0 && <Line name="Left out" value={formatCount(leftOut.length)} />}
        <Line name="Gifts" value={formatCount(rows.length)} />
        {scheduled.length > 0 && (
          <Line
            name="Sent later"
            value={times.size === 1 ? `${count}, ${formatPlannedTime([...times][0] ?? '')}` : count}
          />
        )}
        {amountsOf(rows).map(({ amount, gifts, sum }) => (
          <Line
            key={amount ?? 'others'}
            name={`${countOf(gifts, 'gift')} of ${amount === undefined ? 'other amounts' : formatMoney(amount, currency)}`}
            value={formatMoney(sum, currency)}
          />
        ))}
        <Line name="Total" value={formatMoney(cents, currency)} isStrong />
        <Line
          name={environment === 'live' ? 'Balance now' : 'Sandbox balance now'}
          value={available === undefined ? '…' : formatMoney(available, currency)}
        />
        {available !== undefined && available >= cents && (
          <Line name="Balance after" value={formatMoney(available - cents, currency)} />
        )}
      </dl>
      <LeftOutList leftOut={leftOut} />
      {unused.length > 0 && (
        <p className="mt-3 text-sm text-soft wrap-anywhere">Columns not used: {unused.join(', ')}.</p>
      )}
      {cleaned > 0 && (
        <p className="mt-3 text-sm text-soft">
          {countOf(cleaned, 'address', 'addresses')} had signs that do not belong there; the rows below say which.
        </p>
      )}
    </>
  );
}

/** A file with many amounts would fill the page. */
const MOST_AMOUNTS = 8;

/** Sums by amount, the most frequent first; rare amounts are summed together. */
function amountsOf(rows: readonly Row[]): { amount: number | undefined; gifts: number; sum: number }[] {
  const counts = new Map<number, number>();
  for (const { gift } of rows) if (gift !== undefined) counts.set(gift.amount, (counts.get(gift.amount) ?? 0) + 1);
  const sums = [...counts]
    .map(([amount, gifts]) => ({ amount, gifts, sum: amount * gifts }))
    .sort((a, b) => b.gifts - a.gifts);
  const others = sums.slice(MOST_AMOUNTS);
  if (others.length === 0) return sums;
  const total = (name: 'gifts' | 'sum') => others.reduce((all, one) => all + one[name], 0);
  return [...sums.slice(0, MOST_AMOUNTS), { amount: undefined, gifts: total('gifts'), sum: total('sum') }];
}
