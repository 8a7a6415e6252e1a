import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { ChartFigure, ChartPanel } from '../../ui/chart-panel.tsx';
import { formatCount, formatShare } from '../../ui/formats.ts';
import { giftStatusName } from '../../ui/gift-status.tsx';
import { Time } from '../../ui/time.tsx';
import { DayChart, DeliveriesTable } from './overview-lazy.ts';

const HEIGHT_PX = 240;

type Deliveries = components['schemas']['Overview']['deliveries'];

type Counts = Deliveries['total'];

/** The statuses of the gift list, from bottom to top. */
const everyStatus = [
  { key: 'claimed', label: giftStatusName('claimed'), color: 'var(--chart-claimed)' },
  { key: 'opened', label: giftStatusName('opened'), color: 'var(--chart-opened)' },
  { key: 'sent', label: giftStatusName('sent'), color: 'var(--chart-sent)' },
  { key: 'scheduled', label: giftStatusName('scheduled'), color: 'var(--chart-scheduled)' },
  { key: 'canceled', label: giftStatusName('canceled'), color: 'var(--chart-canceled)' },
  { key: 'failed', label: giftStatusName('failed'), color: 'var(--chart-failed)' },
] as const;

const byStatus = ({ pending, delivered, handed_out, ...others }: Counts) => ({
  ...others,
  sent: pending + delivered + handed_out,
});

/** With scheduled gifts if there are any. */
const statusesOf = (counts: ReturnType<typeof byStatus>) =>
  everyStatus.filter(({ key }) => key !== 'scheduled' || counts.scheduled > 0);

/** What is known of the gifts that are sent and not opened. */
function SentDetail({ total: { pending, delivered, handed_out } }: { total: Counts }) {
  const parts = [
    [delivered, 'delivered'],
    [pending, 'not yet delivered'],
    [handed_out, 'by link'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${formatCount(count)} ${name}`)
    .join(', ');
}

/** The gifts of the last days. Each gift counts once, by its status in the list of gifts. */
export function DeliveriesPanel({ deliveries: { days, total, counted_since } }: { deliveries: Deliveries }) {
  const counts = byStatus(total);
  const statuses = statusesOf(counts);
  const rows = days.map(({ day, ...counted }) => ({ day, ...byStatus(counted) }));
  const all = statuses.reduce((sum, { key }) => sum + counts[key], 0);
  const spoken = statuses.map(({ key, label }) => `${label}: ${formatCount(counts[key])}`).join(', ');
  return (
    <ChartPanel
      title="Deliveries"
      description={`Gift status, last ${days.length} days, by day of purchase (UTC).`}
      chart={
        <div className="grid items-end gap-x-8 gap-y-6 lg:grid-cols-[1fr_15rem]">
          <ChartFigure label={`Gifts per day by status. ${spoken}.`} heightPx={HEIGHT_PX}>
            <DayChart rows={rows} series={statuses} height={HEIGHT_PX} formatAxis={formatCount} />
          </ChartFigure>
          <StatusTable counts={counts} total={total} all={all} />
        </div>
      }
      table={
        <Suspense>
          <DeliveriesTable rows={rows} statuses={statuses} />
        </Suspense>
      }
      footnote={
        counted_since !== null && (
          <>
            Counts only the newest {formatCount(all)} gifts, since <Time at={counted_since} />.
          </>
        )
      }
    />
  );
}

interface StatusTableProps {
  counts: ReturnType<typeof byStatus>;
  total: Counts;
  all: number;
}

/** Each status with its share; its name leads to the list of such gifts. */
function StatusTable({ counts, total, all }: StatusTableProps) {
  const { params } = useScope();
  return (
    <table className="w-full self-center">
      <caption className="sr-only">Gifts by status</caption>
      <tbody>
        {statusesOf(counts)
          .toReversed()
          .map(({ key, label, color }) => (
            <tr key={key} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 text-left font-normal">
                <span aria-hidden className="mr-2.5 inline-block size-3 rounded-[3px]" style={{ background: color }} />
                <Link
                  to="/$organizationId/$environment/gifts"
                  params={params}
                  search={{ status: key }}
                  className="underline-offset-4 hover:text-accent hover:underline"
                >
                  {label}
                </Link>
                {key === 'sent' && (
                  <span className="block pl-5.5 text-sm text-soft">
                    <SentDetail total={total} />
                  </span>
                )}
              </th>
              <td className="py-1.5 text-right align-top font-semibold">{formatCount(counts[key])}</td>
              <td className="w-14 py-1.5 text-right align-top text-soft">
                {formatShare(all === 0 ? 0 : counts[key] / all)}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
