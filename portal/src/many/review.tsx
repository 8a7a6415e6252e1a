import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import { useScope } from '../layout/use-scope.ts';
import { newFormId } from '../pages/send-draft.ts';
import { Line } from '../pages/send-review.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { formatCount, formatMoney, formatPlannedTime } from '../ui/formats.ts';
import { Panel } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { duplicatesOf, type Row, sendRows, sumOf } from './check.ts';

interface ManyReviewProps {
  name: string;
  rows: readonly Row[];
  onBack: () => void;
  onRows: (rows: readonly Row[]) => void;
}

/** The last look before the gifts are paid for. */
export function ManyReview({ name, rows, onBack, onRows }: ManyReviewProps) {
  const { path, currency, environment } = useScope();
  const [accepts, setAccepts] = useState(false);
  const duplicates = duplicatesOf(rows);
  const { send, stored } = useSending(name, rows, accepts);
  const balance = useQuery({
    queryKey: ['balance', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance`, { params: { path } })),
    refetchOnMount: 'always',
  });
  const cents = sumOf(rows);
  const available = balance.data?.outlook.balance;
  const isShort = available !== undefined && available < cents;
  const scheduled = rows.flatMap(({ gift }) => gift?.send_at ?? []);
  const times = new Set(scheduled);
  const count = formatCount(scheduled.length);
  const gifts = `${formatCount(rows.length)} ${rows.length === 1 ? 'gift' : 'gifts'}`;
  return (
    <Panel title="Review" description={name}>
      {duplicates.size > 0 && (
        <Duplicates
          rows={[...duplicates]}
          accepts={accepts}
          onAccept={setAccepts}
          onDrop={() => onRows(rows.filter((row) => !duplicates.has(row)))}
        />
      )}
      <dl>
        <Line name="Gifts" value={formatCount(rows.length)} />
        {scheduled.length > 0 && (
          <Line
            name="Sent later"
            value={times.size === 1 ? `${count}, ${formatPlannedTime([...times][0] ?? '')}` : count}
          />
        )}
        <Line name="Total" value={formatMoney(cents, currency)} isStrong />
        <Line
          name={environment === 'live' ? 'Balance now' : 'Sandbox balance now'}
          value={available === undefined ? '…' : formatMoney(available, currency)}
        />
        {available !== undefined && !isShort && (
          <Line name="Balance after" value={formatMoney(available - cents, currency)} />
        )}
      </dl>
      {isShort && <Short />}
      {rows.length === 0 && <p className="mt-4 text-soft">No rows are left.</p>}
      <FormError error={send.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          variant="primary"
          onClick={() => send.mutate()}
          isBusy={send.isPending}
          disabled={rows.length === 0 || isShort || (duplicates.size > 0 && !accepts)}
        >
          {send.isPending ? `Uploading… ${formatCount(stored)}` : `Send ${gifts}`}
        </Button>
        <Button onClick={onBack} disabled={send.isPending}>
          Change columns
        </Button>
      </div>
    </Panel>
  );
}

function Short() {
  const { params, environment } = useScope();
  return (
    <p role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      The balance does not cover these gifts, so none can be bought.{' '}
      <Link to="/$organizationId/$environment/balance" params={params} className="font-semibold underline">
        {environment === 'live' ? 'Add funds' : 'Add test funds'}
      </Link>
    </p>
  );
}

function useSending(name: string, rows: readonly Row[], acceptsDuplicates: boolean) {
  const { path, params } = useScope();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [stored, setStored] = useState(0);
  // Another set of rows is another batch; the same set is sent once, however often.
  const [form, setForm] = useState({ rows, id: newFormId() });
  if (form.rows !== rows) setForm({ rows, id: newFormId() });
  const send = useMutation({
    mutationFn: () => sendRows(path, { formId: form.id, name, rows, acceptsDuplicates, onProgress: setStored }),
    onSuccess: async (batchId) => {
      await queryClient.invalidateQueries({ queryKey: ['batches'] });
      await navigate({ to: '/$organizationId/$environment/gifts/files/$batchId', params: { ...params, batchId } });
    },
  });
  return { send, stored };
}

const SHOWN = 8;

interface DuplicatesProps {
  rows: readonly Row[];
  accepts: boolean;
  onAccept: (accepts: boolean) => void;
  onDrop: () => void;
}

function Duplicates({ rows, accepts, onAccept, onDrop }: DuplicatesProps) {
  const count = `${formatCount(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
  return (
    <section aria-label="Repeated recipients" className="mb-5 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">{count} may be a second gift to the same person</p>
      <ul className="mt-2 grid gap-1 text-sm">
        {rows.slice(0, SHOWN).map(({ line, address, recent }) => (
          <li key={line} className="wrap-anywhere">
            Line {line}: {address},{' '}
            {recent === null ? (
              'twice in this file'
            ) : (
              <>
                had a gift on <Time at={recent.sent_at} />
              </>
            )}
          </li>
        ))}
        {rows.length > SHOWN && <li>And {formatCount(rows.length - SHOWN)} more.</li>}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-ink">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={accepts}
            onChange={({ target }) => onAccept(target.checked)}
            className="size-4 accent-(--accent)"
          />
          Send these too
        </label>
        <Button size="small" onClick={onDrop}>
          Leave out {count}
        </Button>
      </div>
    </section>
  );
}
