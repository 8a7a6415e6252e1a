import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { GiftStateBadge } from '../../ui/gift-status.tsx';
import { Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import type { Batch } from './batch-list.tsx';

type Result = components['schemas']['BatchResult'];

const PAGE_SIZE = 50;

/** Rows with their results, a page at a time. */
export function BatchRows({ batch }: { batch: Batch }) {
  const { path, currency } = useScope();
  const [after, setAfter] = useState<number[]>([]);
  const [onlyRefused, setOnlyRefused] = useState(false);
  const after_row = after.at(-1) ?? 0;
  const query = { after_row, limit: PAGE_SIZE, ...(onlyRefused && { result: 'refused' as const }) };
  const rows = useQuery({
    queryKey: ['batches', path, batch.batch_id, 'rows', query, batch.placed + batch.refused, batch.state],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/batches/{batch_id}/rows`, {
          params: { path: { ...path, batch_id: batch.batch_id }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const next = rows.data?.next ?? null;
  return (
    <Panel
      title="Rows"
      actions={
        batch.refused > 0 && (
          <Button
            size="small"
            aria-pressed={onlyRefused}
            className="aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent"
            onClick={() => {
              setAfter([]);
              setOnlyRefused(!onlyRefused);
            }}
          >
            Only refused rows
          </Button>
        )
      }
    >
      <DataTable
        caption="Rows with their results"
        columns={columnsOf(currency)}
        query={rows}
        rowKey={({ row }) => String(row)}
        empty={<p className="text-soft">No rows.</p>}
      />
      {(after.length > 0 || next !== null) && (
        <nav aria-label="Pages" className="mt-4 flex justify-between gap-3">
          <Button size="small" disabled={after.length === 0} onClick={() => setAfter(after.slice(0, -1))}>
            Earlier rows
          </Button>
          <Button size="small" disabled={next === null} onClick={() => next !== null && setAfter([...after, next])}>
            Later rows
          </Button>
        </nav>
      )}
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Result>[] => [
  { header: 'Row', cell: ({ row }) => <span className="tabular-nums">{row}</span> },
  { header: 'Recipient', cell: (result) => <Recipient result={result} /> },
  { header: 'Result', cell: (result) => <ResultBadge result={result} /> },
  { header: 'Category', cell: ({ category }) => category ?? '', isWide: true },
  { header: 'Amount', cell: ({ amount }) => formatMoney(amount, currency), align: 'right', isWide: true },
];

function Recipient({ result: { gift_id, recipient_name, address, method } }: { result: Result }) {
  const { params } = useScope();
  const name = recipient_name ?? address ?? (method === 'link' ? 'Link gift' : 'Not kept');
  return (
    <>
      {gift_id === null ? (
        <span className="wrap-anywhere">{name}</span>
      ) : (
        <Link
          to="/$organizationId/$environment/gifts/$giftId"
          params={{ ...params, giftId: gift_id }}
          className="font-semibold wrap-anywhere hover:text-accent"
        >
          {name}
        </Link>
      )}
      {recipient_name !== null && address !== null && (
        <span className="block text-sm break-all text-soft">{address}</span>
      )}
    </>
  );
}

function ResultBadge({ result: { result, state, is_kept, error } }: { result: Result }) {
  if (state !== null) return <GiftStateBadge gift={{ state, is_kept }} />;
  if (result === 'waiting') return <Badge tone="plain">Waiting</Badge>;
  if (result === 'placed') return <Badge tone="calm">Bought</Badge>;
  return (
    <>
      <Badge tone="bad">Refused</Badge>
      <span className="mt-1 block text-sm text-soft wrap-anywhere">{error?.message}</span>
    </>
  );
}
