import { useState } from 'react';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { describeCategory } from '../../ui/category.ts';
import { formatMoney } from '../../ui/formats.ts';
import { GiftStateBadge, giftMethods } from '../../ui/gift-status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type ColumnName, columnNames, readColumns, usualColumns } from './gift-column-names.ts';
import { ColumnsDialog } from './gift-columns-dialog.tsx';

type Gift = components['schemas']['GiftSummary'];

const whenOf = (time: string | null) => (time === null ? '–' : <Time at={time} />);

const cells: Record<ColumnName, (gift: Gift, currency: string) => React.ReactNode> = {
  status: (gift) => <GiftStateBadge gift={gift} />,
  category: (gift) => <span className="wrap-anywhere">{describeCategory(gift)}</span>,
  method: ({ method }) => giftMethods[method],
  sender: ({ sender_name }) => <span className="wrap-anywhere">{sender_name}</span>,
  reference: ({ external_id }) => <span className="wrap-anywhere">{external_id ?? '–'}</span>,
  created: ({ created_at }) => <Time at={created_at} />,
  opened: ({ opened_at }) => whenOf(opened_at),
  claimed: ({ claimed_at }) => whenOf(claimed_at),
  amount: ({ amount }, currency) => formatMoney(amount, currency),
};

const recipient: Column<Gift> = {
  header: 'Recipient',
  cell: ({ recipient_name, address }) => (
    <>
      {recipient_name !== null && <span className="line-clamp-2 wrap-anywhere">{recipient_name}</span>}
      {address !== null && (
        <span className={`line-clamp-1 break-all ${recipient_name === null ? '' : 'text-sm font-normal text-soft'}`}>
          {address}
        </span>
      )}
      {recipient_name === null && address === null && 'Link gift (no name)'}
    </>
  ),
};

/** The recipient, which each row has, and these columns. A phone has room for the status and the amount. */
export const giftColumns = (names: readonly ColumnName[], currency: string): Column<Gift>[] => [
  recipient,
  ...names.map((name) => ({
    header: columnNames[name],
    cell: (gift: Gift) => cells[name](gift, currency),
    ...(name === 'amount' ? { align: 'right' as const } : {}),
    isWide: name !== 'status' && name !== 'amount',
  })),
];

/** What the list can be sorted by, beside the time of the order. */
export const giftOrders = [
  { value: 'largest', label: 'Largest first' },
  { value: 'smallest', label: 'Smallest first' },
  { value: 'opened', label: 'Last opened first' },
  { value: 'claimed', label: 'Last claimed first' },
] as const;

export const sortOf = (order: string | undefined) => giftOrders.find(({ value }) => value === order)?.value;

/**
 * The columns of the URL, else those that the person chose last on this device, whose screen they fit; a saved view has its
 * columns on every device.
 */
export function useColumns(inUrl: string | undefined) {
  const { membership } = useScope();
  const key = `bestow.gift-columns.${membership.member_id}`;
  const [kept, setKept] = useState(() => readColumns(readKept(key)));
  return {
    names: readColumns(inUrl) ?? kept ?? usualColumns,
    keep: (names: readonly ColumnName[]) => {
      setKept([...names]);
      try {
        localStorage.setItem(key, names.join());
      } catch {
        // Without storage the URL keeps them.
      }
    },
  };
}

function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

interface ChooseColumnsProps {
  names: readonly ColumnName[];
  onChange: (names: readonly ColumnName[]) => void;
}

export function ChooseColumns({ names, onChange }: ChooseColumnsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <span className="hidden md:block">
        <Button onClick={() => setIsOpen(true)}>Columns …</Button>
      </span>
      {isOpen && <ColumnsDialog names={names} onChange={onChange} onClose={() => setIsOpen(false)} />}
    </>
  );
}
