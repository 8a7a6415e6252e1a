import { useScope } from '../layout/use-scope.ts';
import { formatCount, formatMoney } from './formats.ts';
import { OrderField } from './order-field.tsx';

interface ListTotalProps {
  total: { count: number; amount: number; newest: number | null } | undefined;
  /** Singular and plural of a row. */
  counted: readonly [one: string, many: string];
  order: string | undefined;
  onOrder: (order: string | undefined) => void;
}

/**
 * How many rows match on all pages, their sum, and the list's order. Long lists are counted up to a bound, and the line says
 * so.
 */
export function ListTotal({ total, counted, order, onOrder }: ListTotalProps) {
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
      <div className="print:hidden">
        <OrderField value={order} onChange={onOrder} />
      </div>
    </div>
  );
}
