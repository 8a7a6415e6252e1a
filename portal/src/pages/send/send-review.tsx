import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { categoryOptions } from '../../ui/category.ts';
import { FormError } from '../../ui/field.tsx';
import { formatMoney, formatPlannedTime } from '../../ui/formats.ts';
import { MessageText } from '../../ui/message-text.tsx';
import { Facts, Panel } from '../../ui/page.tsx';
import { isoOf } from '../../ui/time-field.tsx';
import { HeldGift, isHeld } from '../approvals/held.tsx';
import {
  addressOf,
  type Draft,
  isLater,
  isUnanswered,
  keyOfForm,
  personalizationOf,
  type StoredForm,
} from '../gift-form/send-draft.ts';
import { useWithoutIssuer, WithoutIssuer } from '../gift-form/without-issuer.tsx';

interface SendReviewProps {
  stored: StoredForm;
  cents: number;
  sending: Pick<UseMutationResult, 'error' | 'isPending'>;
  onSend: () => void;
  onBack: () => void;
  /** Goes on with the same words as another gift. */
  onAnother: () => void;
  onDiscard: () => void;
  /** Notes whether the form was sent, and no answer says that nothing was bought. */
  onTried: (isTried: boolean) => void;
}

/** The last look before the gift is paid for, or before a member asks for it. */
export function SendReview(props: SendReviewProps) {
  const { stored, cents, sending, onBack } = props;
  const { draft, isTried } = stored.form;
  const { path, currency, environment, includes, may } = useScope();
  const buys = may('order');
  const balance = useQuery({
    queryKey: ['balance', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance`, { params: { path } })),
    refetchOnMount: 'always',
    enabled: buys && includes('money'),
  });
  const available = balance.data?.outlook.balance;
  const isShort = available !== undefined && available < cents;
  // An answer of the service itself says that nothing was bought.
  const isUnknown = isUnanswered(sending.error) || (isTried && !sending.isPending && sending.error === null);
  return (
    <Panel title="Review">
      <GiftFacts draft={draft} />
      <dl className="mt-5 border-t border-line pt-4">
        <Line name="Total" value={formatMoney(cents, currency)} isStrong />
        {buys && includes('money') && (
          <Line
            name={environment === 'live' ? 'Balance now' : 'Sandbox balance now'}
            value={available === undefined ? '…' : formatMoney(available, currency)}
          />
        )}
        {available !== undefined && !isShort && (
          <Line name="Balance after" value={formatMoney(available - cents, currency)} />
        )}
      </dl>
      {!buys && <p className="mt-2 text-soft">Nothing is bought until an admin approves it.</p>}
      {isHeld(sending.error) ? (
        <HeldGift stored={stored} cents={cents} onTried={props.onTried} onBack={onBack} />
      ) : (
        <SendActions {...props} isShort={isShort} isUnknown={isUnknown} />
      )}
    </Panel>
  );
}

interface SendActionsProps extends SendReviewProps {
  isShort: boolean;
  isUnknown: boolean;
}

function SendActions({ stored, sending, isShort, isUnknown, onBack, ...props }: SendActionsProps) {
  const { params, environment, may } = useScope();
  const { draft, formId } = stored.form;
  const issuers = useWithoutIssuer([draft.category]);
  return (
    <>
      {isShort && !isUnknown && (
        <p role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          The balance does not cover this gift.{' '}
          <Link to="/$organizationId/$environment/balance" params={params} className="font-semibold underline">
            {environment === 'live' ? 'Add funds' : 'Add test funds'}
          </Link>
        </p>
      )}
      {!isUnknown && <WithoutIssuer issuers={issuers} hasBox />}
      <Refusal error={sending.error} isUnknown={isUnknown} formId={formId} onAnother={props.onAnother} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          variant="primary"
          onClick={props.onSend}
          isBusy={sending.isPending}
          disabled={(isShort || !issuers.maySend) && !isUnknown}
        >
          {may('order') ? sendLabel(draft, isUnknown, sending.isPending) : askLabel(isUnknown, sending.isPending)}
        </Button>
        <Button onClick={onBack} disabled={sending.isPending || isUnknown}>
          Change
        </Button>
        <Button variant="quiet" onClick={props.onDiscard} disabled={sending.isPending}>
          Start again
        </Button>
      </div>
    </>
  );
}

function GiftFacts({ draft }: { draft: Draft }) {
  const { membership, may, marks } = useScope();
  const { message } = personalizationOf(draft, marks);
  const { choices } = useCategories();
  const { email, phone } = addressOf(draft) as { email?: string; phone?: string };
  const optional = (name: string, text: string) => (text.trim() === '' ? [] : [[name, text.trim()] as const]);
  return (
    <Facts
      facts={[
        ['To', email ?? phone ?? (may('order') ? 'A link that you share' : 'A link that an admin shares')],
        ...optional('Recipient', draft.recipientName),
        ...(draft.method === 'link'
          ? []
          : [['Sent', isLater(draft) ? formatPlannedTime(isoOf(draft.sendAt)) : 'Now'] as const]),
        ['Sender', draft.senderName.trim() || membership.organization_name],
        ['Category', categoryOptions(choices).find(({ value }) => value === draft.category)?.label ?? draft.category],
        ...(message === undefined ? [] : [['Message', <MessageText key="message" text={message} />] as const]),
      ]}
    />
  );
}

function sendLabel(draft: Draft, isUnknown: boolean, isPending: boolean): string {
  if (isPending) return isLater(draft) ? 'Scheduling…' : 'Sending…';
  if (isUnknown) return 'Send again';
  if (isLater(draft)) return 'Schedule gift';
  return draft.method === 'link' ? 'Buy and get the link' : 'Send gift';
}

const askLabel = (isUnknown: boolean, isPending: boolean) =>
  isPending ? 'Asking…' : isUnknown ? 'Ask again' : 'Ask for approval';

export function Line({ name, value, isStrong = false }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 py-1 ${isStrong ? 'text-lg font-semibold' : ''}`}>
      <dt className={isStrong ? '' : 'text-soft'}>{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}

interface RefusalProps {
  error: Error | null;
  isUnknown: boolean;
  formId: string;
  onAnother: () => void;
}

function Refusal({ error, isUnknown, formId, onAnother }: RefusalProps) {
  const { params, may } = useScope();
  if (isUnknown)
    return (
      <p role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
        {may('order')
          ? 'No answer arrived, so the gift may already be sent. Nothing is lost: send it again, this form never buys twice.'
          : 'No answer arrived, so the admins may already have it. Nothing is lost: ask again, this form asks once.'}
      </p>
    );
  if (error instanceof ApiError && error.code === 'idempotency_key_reused')
    return (
      <p role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
        This form has already sent a gift with other details.{' '}
        <Link
          to="/$organizationId/$environment/orders"
          params={params}
          search={{ query: keyOfForm(formId) }}
          className="font-semibold underline"
        >
          Look at its order
        </Link>{' '}
        <button type="button" onClick={onAnother} className="font-semibold underline">
          Make this another gift
        </button>
      </p>
    );
  return <FormError error={error} />;
}
