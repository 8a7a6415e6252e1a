import { Suspense } from 'react';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { ChartFigure, ChartPanel } from '../../ui/chart-panel.tsx';
import { formatCount, formatMoney, formatShort, formatShortMoney } from '../../ui/formats.ts';
import { DayChart, OrdersTable } from './overview-lazy.ts';

const HEIGHT_PX = 200;

type Days = components['schemas']['Overview']['days'];

/** Orders and their value per day, and those of as many days before. */
export function OrdersPanel({ days, before }: { days: Days; before: components['schemas']['Overview']['before'] }) {
  const { currency } = useScope();
  const orders = days.reduce((sum, day) => sum + day.orders, 0);
  const amount = days.reduce((sum, day) => sum + day.amount, 0);
  const money = (cents: number) => formatMoney(cents, currency);
  const shortMoney = (cents: number) => formatShortMoney(cents, currency);
  return (
    <ChartPanel
      title="Orders"
      description={`Last ${days.length} days (UTC).`}
      chart={
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <Figure name="Value" total={money(amount)} before={money(before.amount)}>
            <ChartFigure
              label={`Value of orders per day; ${money(amount)} in ${days.length} days.`}
              heightPx={HEIGHT_PX}
            >
              <DayChart
                rows={days}
                series={[{ key: 'amount', label: 'Value', color: 'var(--accent)' }]}
                height={HEIGHT_PX}
                formatAxis={shortMoney}
                formatValue={money}
              />
            </ChartFigure>
          </Figure>
          <Figure name="Orders" total={formatCount(orders)} before={formatCount(before.orders)}>
            <ChartFigure label={`Orders per day; ${formatCount(orders)} in ${days.length} days.`} heightPx={HEIGHT_PX}>
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
        <Suspense>
          <OrdersTable days={days} />
        </Suspense>
      }
    />
  );
}

interface FigureProps {
  name: string;
  total: string;
  /** Of the period before. */
  before: string;
  children: React.ReactNode;
}

function Figure({ name, total, before, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <p className="text-sm text-soft">{name}</p>
      <p className="mb-2 font-serif text-2xl leading-8 font-semibold tabular-nums">
        {total} <span className="font-sans text-sm font-normal text-soft">before: {before}</span>
      </p>
      {children}
    </div>
  );
}
