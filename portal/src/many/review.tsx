import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import { useScope } from '../layout/use-scope.ts';
import { newFormId } from '../pages/send-draft.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { countOf, formatCount } from '../ui/formats.ts';
import { Panel } from '../ui/page.tsx';
import { type CheckedFile, duplicatesOf, type Row, sendRows, sumOf, withoutRows } from './check.ts';
import { Duplicates } from './duplicates.tsx';
import { ReviewRows } from './review-rows.tsx';
import { ReviewSums } from './review-sums.tsx';

interface ManyReviewProps {
  name: string;
  file: CheckedFile;
  onBack: () => void;
  onChange: (file: CheckedFile) => void;
}

/** The last look before the gifts are paid for: every row as it will be sent. */
export function ManyReview({ name, file, onBack, onChange }: ManyReviewProps) {
  const { path } = useScope();
  const { rows } = file;
  const [accepts, setAccepts] = useState(false);
  const duplicates = useMemo(() => duplicatesOf(rows), [rows]);
  const { send, stored } = useSending(name, rows, accepts);
  const balance = useQuery({
    queryKey: ['balance', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance`, { params: { path } })),
    refetchOnMount: 'always',
  });
  const cents = sumOf(rows);
  const available = balance.data?.outlook.balance;
  const isShort = available !== undefined && available < cents;
  return (
    <div className="grid gap-5">
      <Panel title="Review" description={name}>
        {duplicates.size > 0 && (
          <Duplicates
            rows={[...duplicates]}
            accepts={accepts}
            onAccept={setAccepts}
            onDrop={() => onChange(withoutRows(file, (row) => duplicates.has(row), 'repeated, left out by you'))}
          />
        )}
        <ReviewSums file={file} available={available} />
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
            {send.isPending ? `Uploading… ${formatCount(stored)}` : `Send ${countOf(rows.length, 'gift')}`}
          </Button>
          <Button onClick={onBack} disabled={send.isPending}>
            Change columns
          </Button>
        </div>
      </Panel>
      {rows.length > 0 && <ReviewRows rows={rows} />}
    </div>
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
