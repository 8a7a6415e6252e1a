import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { countOf, formatCount, formatMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { Held } from '../approvals/held.tsx';
import { isUnanswered } from '../gift-form/send-draft.ts';
import { useWithoutIssuer, WithoutIssuer } from '../gift-form/without-issuer.tsx';
import { type CheckedFile, duplicatesOf, sumOf, withoutRows } from './check.ts';
import { Duplicates } from './duplicates.tsx';
import type { ManyDraft } from './many-draft.ts';
import { ReviewRows } from './review-rows.tsx';
import { ReviewSums } from './review-sums.tsx';
import { useSending } from './use-sending.ts';

interface ManyReviewProps {
  draft: ManyDraft;
  onBack: () => void;
  onChange: (file: CheckedFile) => void;
  /** Forgets the file. */
  onDiscard: () => void;
}

/** The last look before the gifts are paid for: every row as it will be sent. */
export function ManyReview({ draft, onBack, onChange, onDiscard }: ManyReviewProps) {
  const { path, includes } = useScope();
  const { answers, checked: file } = draft;
  const rows = file?.rows ?? [];
  const sending = useSending(draft, onDiscard);
  const { isSending, isUnknown } = sending;
  const duplicates = useMemo(() => duplicatesOf(file?.rows ?? []), [file]);
  const balance = useQuery({
    queryKey: ['balance', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance`, { params: { path } })),
    refetchOnMount: 'always',
    enabled: includes('money'),
  });
  const available = balance.data?.outlook.balance;
  const isShort = available !== undefined && available < sumOf(rows);
  const issuers = useWithoutIssuer(useMemo(() => categoriesOf(file), [file]));
  const isOpen = !isUnknown && !isSending;
  const mayNotSend =
    !issuers.maySend || rows.length === 0 || isShort || (duplicates.size > 0 && !answers.acceptsDuplicates);
  return (
    <div className="grid gap-5">
      <Panel title="Review" description={answers.name}>
        {isOpen && file !== undefined && duplicates.size > 0 && (
          <Duplicates
            rows={[...duplicates]}
            accepts={answers.acceptsDuplicates}
            onAccept={draft.accept}
            onDrop={() => onChange(withoutRows(file, (row) => duplicates.has(row), 'repeated, left out by you'))}
          />
        )}
        {file !== undefined && <ReviewSums file={file} available={available} />}
        {isShort && isOpen && <Short />}
        {rows.length === 0 && isOpen && <p className="mt-4 text-soft">No rows are left.</p>}
        {isOpen && <WithoutIssuer issuers={issuers} hasBox />}
        {sending.isSettled && isOpen && (
          <p role="status" className="mt-4 rounded-xl bg-sunken px-4 py-3">
            Nothing was sent. You can change the rows, or send them.
          </p>
        )}
        {isUnknown && <Unanswered draft={draft} />}
        {sending.held === undefined ? (
          <>
            <FormError error={isUnanswered(sending.error) ? null : sending.error} />
            <Actions sending={sending} gifts={file?.rows.length} mayNotSend={mayNotSend} onBack={onBack} />
          </>
        ) : (
          <Held asking={sending.held} onAsk={() => sending.held?.ask()} back="Change columns" onBack={onBack} />
        )}
      </Panel>
      {rows.length > 0 && <ReviewRows rows={rows} />}
    </div>
  );
}

interface ActionsProps {
  sending: ReturnType<typeof useSending>;
  /** Undefined if the browser had no room for the rows. */
  gifts: number | undefined;
  mayNotSend: boolean;
  onBack: () => void;
}

function Actions({ sending, gifts, mayNotSend, onBack }: ActionsProps) {
  const { isSending, isUnknown, isSettling } = sending;
  const label = isUnknown ? 'Send again' : `Send ${countOf(gifts ?? 0, 'gift')}`;
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {(gifts !== undefined || isSending) && (
        <Button
          variant="primary"
          onClick={sending.send}
          isBusy={isSending}
          disabled={(mayNotSend && !isUnknown) || isSettling}
        >
          {isSending ? `Uploading… ${formatCount(sending.stored)}` : label}
        </Button>
      )}
      {isUnknown ? (
        <Button onClick={sending.settle} isBusy={isSettling}>
          Find out whether they were sent
        </Button>
      ) : (
        <Button onClick={onBack} disabled={isSending}>
          Change columns
        </Button>
      )}
    </div>
  );
}

const categoriesOf = (file: CheckedFile | undefined) => [
  ...new Set(file?.rows.flatMap(({ gift }) => gift?.category ?? [])),
];

/** The same rows are sent once, so they can be sent again. Other rows would be bought beside them. */
function Unanswered({ draft: { answers, checked } }: { draft: ManyDraft }) {
  const { currency } = useScope();
  const { gifts = 0, cents = 0 } = answers.tried ?? {};
  const count = countOf(gifts, 'gift');
  return (
    <p role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      No answer arrived, so {count} of “{answers.name}”, {formatMoney(cents, currency)}, may already be sent.{' '}
      {checked === undefined
        ? 'Your browser had no room for the rows. Find out whether they were sent before you choose the file again.'
        : 'Nothing is lost: send them again, this form never buys twice. Before you change them, find out whether they were sent.'}
    </p>
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
