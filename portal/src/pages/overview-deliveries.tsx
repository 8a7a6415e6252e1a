import { lazy } from 'react';
import type { components } from '../api/schema.d.ts';
import { ChartFigure, ChartPanel } from '../ui/chart-panel.tsx';
import { formatCount, formatDay } from '../ui/formats.ts';
import { DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

const DayChart = lazy(() => import('./overview-charts.tsx'));
const HEIGHT_PX = 240;

type Deliveries = components['schemas']['Overview']['deliveries'];

/** From bottom to top. */
const outcomes = [
  { key: 'claimed', label: 'Claimed', color: 'var(--chart-claimed)' },
  { key: 'opened', label: 'Opened', color: 'var(--chart-opened)' },
  { key: 'delivered', label: 'Delivered', color: 'var(--chart-delivered)' },
  { key: 'handed_out', label: 'Link created', color: 'var(--chart-handed-out)' },
  { key: 'pending', label: 'On its way', color: 'var(--chart-pending)' },
  { key: 'failed', label: 'Failed', color: 'var(--chart-failed)' },
] as const;

/** The gifts of the last 30 days by status. Each gift counts once, by the furthest state that it reached. */
export function DeliveriesPanel({ deliveries: { days, total, counted_since } }: { deliveries: Deliveries }) {
  const all = outcomes.reduce((sum, { key }) => sum + total[key], 0);
  const spoken = outcomes.map(({ key, label }) => `${label}: ${formatCount(total[key])}`).join(', ');
  return (
    <ChartPanel
      title="Deliveries"
      description="Gift status, last 30 days, by day of purchase (UTC)."
      chart={
        <div className="grid items-end gap-x-8 gap-y-6 lg:grid-cols-[1fr_15rem]">
          <ChartFigure label={`Gifts per day by status. ${spoken}.`} heightPx={HEIGHT_PX}>
            <DayChart rows={days} series={outcomes} height={HEIGHT_PX} formatAxis={formatCount} />
          </ChartFigure>
          <table className="w-full self-center">
            <caption className="sr-only">Gifts by status</caption>
            <tbody>
              {outcomes.toReversed().map(({ key, label, color }) => (
                <tr key={key} className="border-b border-line last:border-0">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    <span
                      aria-hidden
                      className="mr-2.5 inline-block size-3 rounded-[3px]"
                      style={{ background: color }}
                    />
                    {label}
                  </th>
                  <td className="py-1.5 text-right font-semibold">{formatCount(total[key])}</td>
                  <td className="w-14 py-1.5 text-right text-soft">{percent(total[key], all)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      }
      table={
        <DataTable
          caption="Gifts per day by status"
          columns={[
            { header: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
            ...outcomes.map(({ key, label }) => ({
              header: label,
              cell: (day: Deliveries['days'][number]) => formatCount(day[key]),
              align: 'right' as const,
              ...(key === 'claimed' || key === 'failed' ? {} : { isWide: true }),
            })),
          ]}
          query={{ data: { data: days.toReversed() }, error: null, refetch: () => undefined }}
          rowKey={({ day }) => day}
          empty={null}
        />
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

const percent = (part: number, all: number) =>
  new Intl.NumberFormat(undefined, { style: 'percent' }).format(all === 0 ? 0 : part / all);
