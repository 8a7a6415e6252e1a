import { Link } from '@tanstack/react-router';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { formatChange } from '../../ui/formats.ts';

export type Entry = components['schemas']['LedgerEntry'];

/** Names of the kinds of entries. */
export const entryKinds = {
  funding: 'Funds added',
  adjustment: 'Correction',
  order: 'Order',
  refund: 'Refund',
} as const;

const idClass = 'font-mono text-[0.8125rem] text-soft wrap-anywhere hover:text-accent hover:underline';

/** Shows the order or gift of an entry, or its reference and note. */
export function EntryText({ entry }: { entry: Entry }) {
  const { params } = useScope();
  const { order_id: orderId, gift_id: giftId } = entry;
  const given = [entry.reference, entry.note].filter((text) => text !== null).join(' · ');
  return (
    <div className="flex flex-wrap items-baseline gap-x-2.5">
      <span className="font-semibold">{entryKinds[entry.kind]}</span>
      {orderId !== null && (
        <Link to="/$organizationId/$environment/orders/$orderId" params={{ ...params, orderId }} className={idClass}>
          <span className="hidden sm:inline print:inline">{orderId}</span>
          {/* A whole id is wider than a phone. */}
          <span className="sm:hidden print:hidden">ord_…{orderId.slice(-8)}</span>
        </Link>
      )}
      {giftId !== null && (
        <Link to="/$organizationId/$environment/gifts/$giftId" params={{ ...params, giftId }} className={idClass}>
          <span className="hidden sm:inline print:inline">{giftId}</span>
          <span className="sm:hidden print:hidden">gift_…{giftId.slice(-8)}</span>
        </Link>
      )}
      {given !== '' && <span className="text-sm text-soft wrap-anywhere">{given}</span>}
    </div>
  );
}

/** An amount with its sign. Positive amounts are green. */
export function Change({ cents }: { cents: number }) {
  const { currency } = useScope();
  return <span className={`whitespace-nowrap ${cents > 0 ? 'text-good' : ''}`}>{formatChange(cents, currency)}</span>;
}
