import type { ReactNode } from 'react';
import { useScope } from '../api/use-scope.ts';
import { formatCount, formatMoney } from './formats.ts';
import { type OrderChoice, OrderField } from './order-field.tsx';

interface ListTotalProps {
  total: { count: number; amount: number; newest: number | null } | undefined;
  /** Singular and plural of a row. */
  counted: readonly [one: string, many: string];
  order: string | undefined;
  onOrder: (order: string | undefined) => void;
  /** What else the list can be sorted by. */
  orders?: readonly OrderChoice[];
  /** Beside the order. */
  children?: ReactNode;
}

/**
 * How many rows match on all pages, their sum, and the list's order. Long lists are counted up to a bound, and the line says
 * so.
 */
export function ListTotal({ total, counted, order, onOrder, orders, children }: ListTotalProps) {
  const { currency } = useScope();
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p data-testid="total" className="text-soft tabular-nums">
        {total !== undefined && (
          <>
            {formatCount(total.count)} {counted[total.count === 1 ? 0 : 1]}, {formatMoney(total.amount, currency)}
            {total.newest !== null && ` among the newest ${formatCount(total.newest)} ${counted[1]}`}
          </>
        )}
      </p>
      <div className="print:hidden flex items-center gap-2">
        {children}
        <OrderField value={order} onChange={onOrder} more={orders} />
      </div>
    </div>
  );
}
