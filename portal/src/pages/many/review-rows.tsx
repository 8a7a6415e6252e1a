import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { foldText } from '../../base/fold-text.ts';
import { categoryOptions } from '../../ui/category.ts';
import { TextField } from '../../ui/field.tsx';
import { countOf, formatMoney, formatPlannedTime } from '../../ui/formats.ts';
import { languageName } from '../../ui/languages.ts';
import { Panel } from '../../ui/page.tsx';
import { GiftPreview } from '../gift-form/send-preview.tsx';
import type { Row } from './check.ts';
import type { BatchGift } from './columns.ts';

type SentRow = Row & { gift: BatchGift };

/** Every row as it will be sent, found by any of its words; and what the recipient of one of them will read. */
export function ReviewRows({ rows }: { rows: readonly Row[] }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(foldText(text.trim()));
  const sent = useMemo(() => rows.filter((row): row is SentRow => row.gift !== undefined), [rows]);
  const found = useMemo(() => sent.filter((row) => wanted === '' || wordsOf(row).includes(wanted)), [sent, wanted]);
  const [chosen, setChosen] = useState<number>();
  const shown = sent.find(({ line }) => line === chosen) ?? found[0];
  return (
    <>
      <Panel title="As they will be sent" description="Choose a row to read what its recipient gets.">
        <TextField
          label="Find a row"
          type="search"
          placeholder="Name, address, amount or line"
          value={text}
          onChange={setText}
          autoComplete="off"
        />
        <p role="status" className="mt-2 text-sm text-soft">
          {wanted === '' ? countOf(sent.length, 'row') : `${countOf(found.length, 'row')} found`}
        </p>
        <RowList rows={found} chosen={shown?.line} onChoose={setChosen} />
      </Panel>
      {shown !== undefined && <RowPreview row={shown} />}
    </>
  );
}

const recipientOf = ({ gift: { delivery } }: SentRow) =>
  delivery.method === 'email' ? delivery.email : delivery.method === 'phone' ? delivery.phone : 'A link that you share';

const wordsOf = (row: SentRow) => {
  const { amount, category, personalization: { recipient_name, sender_name, message } = {}, external_id } = row.gift;
  const words = [row.line, recipientOf(row), recipient_name, sender_name, (amount / 100).toFixed(2), category];
  return foldText([...words, message, external_id].join(' '));
};

interface RowListProps {
  rows: readonly SentRow[];
  chosen: number | undefined;
  onChoose: (line: number) => void;
}

const ROW_PX = 76;

/** Only the rows in sight are in the page: ten thousand would slow it down. */
function RowList({ rows, chosen, onChoose }: RowListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    <section
      ref={scroller}
      aria-label="Rows"
      className="-mx-5 mt-3 max-h-120 overflow-y-auto border-y border-line sm:-mx-6"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <li
                key={key}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 border-b border-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowButton row={row} isChosen={row.line === chosen} onChoose={() => onChoose(row.line)} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

function RowButton({ row, isChosen, onChoose }: { row: SentRow; isChosen: boolean; onChoose: () => void }) {
  const { currency } = useScope();
  const { choices } = useCategories();
  const { gift, line, removed } = row;
  const { recipient_name: name, sender_name: sender, message } = gift.personalization ?? {};
  const category = categoryOptions(choices).find(({ value }) => value === gift.category)?.label ?? gift.category;
  const more = [
    category,
    gift.language && languageName(gift.language),
    gift.send_at && formatPlannedTime(gift.send_at),
    sender && `from ${sender}`,
    gift.external_id,
    message && `“${message}”`,
  ];
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className="grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 px-5 py-3 text-left hover:bg-sunken/60 aria-pressed:bg-accent-wash sm:px-6"
    >
      <span className="min-w-8 text-sm text-soft tabular-nums">
        <span className="sr-only">Line </span>
        {line}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name ?? recipientOf(row)}</span>
        {name !== undefined && <span className="block truncate text-sm text-soft">{recipientOf(row)}</span>}
        <span className="block truncate text-sm text-soft">{more.filter(Boolean).join(' · ')}</span>
        {removed.length > 0 && <span className="block text-sm text-warn">Sent without {removed.join(' and ')}.</span>}
      </span>
      <span className="font-semibold tabular-nums">{formatMoney(gift.amount, currency)}</span>
    </button>
  );
}

function RowPreview({ row: { gift } }: { row: SentRow }) {
  const { amount, category, personalization, delivery, language, send_at } = gift;
  return (
    <GiftPreview
      body={{
        method: delivery.method,
        amount,
        category,
        ...personalization,
        ...(language && { language }),
        ...(send_at && { send_at }),
      }}
    />
  );
}
