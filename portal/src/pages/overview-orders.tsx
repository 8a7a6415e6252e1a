import { lazy } from 'react';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { ChartFigure, ChartPanel } from '../ui/chart-panel.tsx';
import { formatCount, formatDay, formatMoney, formatShort, formatShortMoney } from '../ui/formats.ts';
import { DataTable } from '../ui/table.tsx';

const DayChart = lazy(() => import('./overview-charts.tsx'));
const HEIGHT_PX = 200;

type Days = components['schemas']['Overview']['days'];

/** Orders and their value per day, last 30 days. */
export function OrdersPanel({ days }: { days: Days }) {
  const { currency } = useScope();
  const orders = days.reduce((sum, day) => sum + day.orders, 0);
  const amount = days.reduce((sum, day) => sum + day.amount, 0);
  const money = (cents: number) => formatMoney(cents, currency);
  const shortMoney = (cents: number) => formatShortMoney(cents, currency);
  return (
    <ChartPanel
      title="Orders"
      description="Last 30 days (UTC)."
      chart={
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <Figure name="Value" total={money(amount)}>
            <ChartFigure label={`Value of orders per day; ${money(amount)} in 30 days.`} heightPx={HEIGHT_PX}>
              <DayChart
                rows={days}
                series={[{ key: 'amount', label: 'Value', color: 'var(--accent)' }]}
                height={HEIGHT_PX}
                formatAxis={shortMoney}
                formatValue={money}
              />
            </ChartFigure>
          </Figure>
          <Figure name="Orders" total={formatCount(orders)}>
            <ChartFigure label={`Orders per day; ${formatCount(orders)} in 30 days.`} heightPx={HEIGHT_PX}>
              <DayChart
                rows={days}
                series={[{ key: 'orders', label: 'Orders', color: 'var(--calm)' }]}
                height={HEIGHT_PX}
                formatAxis={formatShort}
              />
            </ChartFigure>
          </Figure>
        </div>
      }
      table={
        <DataTable
          caption="Orders and their value per day"
          columns={[
            { header: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
            { header: 'Orders', cell: (day) => formatCount(day.orders), align: 'right' },
            { header: 'Value', cell: (day) => money(day.amount), align: 'right' },
          ]}
          query={{ data: { data: days.toReversed() }, error: null, refetch: () => undefined }}
          rowKey={({ day }) => day}
          empty={null}
        />
      }
    />
  );
}

function Figure({ name, total, children }: { name: string; total: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-sm text-soft">{name}</p>
      <p className="mb-2 font-serif text-2xl leading-8 font-semibold tabular-nums">{total}</p>
      {children}
    </div>
  );
}
