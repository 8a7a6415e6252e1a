import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { Asked, useAsk } from '../approvals/ask.tsx';
import { useScope } from '../layout/use-scope.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatMoney, formatPlannedTime } from '../ui/formats.ts';
import { Page, Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { isoOf } from '../ui/time-field.tsx';
import {
  addressOf,
  amountOf,
  type Draft,
  emptyDraft,
  type FieldErrors,
  giftOf,
  isLater,
  newFormId,
  refusedField,
} from './send-draft.ts';
import { SendForm } from './send-form.tsx';
import { SendPreview } from './send-preview.tsx';
import { SendReview } from './send-review.tsx';

type Sent = components['schemas']['SentGifts'];

/** Sends one gift: write, review, done. */
export function SendPage() {
  const { params, environment, isAdmin, mayWrite } = useScope();
  // The key of the order: one form buys once.
  const [formId, setFormId] = useState(newFormId);
  const [draft, setDraft] = useState(emptyDraft);
  const restart = () => {
    setFormId(newFormId());
    setDraft({ ...draft, email: '', phone: '', recipientName: '', message: '' });
  };
  return (
    <Page
      title="Send a gift"
      crumb={
        <Link to="/$organizationId/$environment/gifts" params={params}>
          Gifts
        </Link>
      }
      description={environment === 'sandbox' ? 'A test gift: no real money, no messages.' : undefined}
    >
      {mayWrite ? (
        <Steps key={formId} formId={formId} draft={draft} onChange={setDraft} onRestart={restart} />
      ) : (
        <Panel>
          <EmptyState title={isAdmin ? 'Gifts cannot be sent now' : 'Only admins can send gifts'}>
            {isAdmin
              ? 'The organization is suspended, or you need a second factor. The banner above says which.'
              : 'Ask an admin of your organization.'}
          </EmptyState>
        </Panel>
      )}
    </Page>
  );
}

interface StepsProps {
  formId: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onRestart: () => void;
}

function Steps({ formId, draft, onChange, onRestart }: StepsProps) {
  const [isReviewed, setIsReviewed] = useState(false);
  const [refused, setRefused] = useState<FieldErrors>({});
  const top = useRef<HTMLDivElement>(null);
  const { isAdmin, currency } = useScope();
  const cents = amountOf(draft, currency) ?? 0;
  const refuse = (faults: FieldErrors) => {
    setRefused(faults);
    setIsReviewed(false);
  };
  const purchase = usePurchase(formId, draft, cents, refuse);
  const request = useAsk(formId, draft, cents, refuse);
  const sending = isAdmin ? purchase : request;
  const isSent = sending.data !== undefined;
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at its top
  useEffect(() => {
    if (wasShown.current) top.current?.focus();
    wasShown.current = true;
  }, [isReviewed, isSent]);
  return (
    <div ref={top} tabIndex={-1} className="scroll-mt-20 outline-none">
      {purchase.data !== undefined ? (
        <Done sent={purchase.data} draft={draft} cents={cents} onRestart={onRestart} />
      ) : request.data !== undefined ? (
        <Asked request={request.data} onRestart={onRestart} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {isReviewed ? (
            <SendReview
              draft={draft}
              cents={cents}
              formId={formId}
              purchase={sending}
              onBack={() => {
                sending.reset();
                setIsReviewed(false);
              }}
            />
          ) : (
            <SendForm
              draft={draft}
              refused={refused}
              onChange={(changed) => {
                setRefused({});
                onChange(changed);
              }}
              onReview={() => {
                sending.reset();
                setIsReviewed(true);
              }}
            />
          )}
          <SendPreview draft={draft} />
        </div>
      )}
    </div>
  );
}

/** Errors that pass by themselves, before anything is bought. */
const PASSING = ['idempotency_in_progress', 'resource_locked'];
const MOST_RETRIES = 3;
const RETRY_MS = 700;

function usePurchase(formId: string, draft: Draft, cents: number, onRefused: (faults: FieldErrors) => void) {
  const { path } = useScope();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/orders`, {
          params: { path },
          body: { form_id: formId, gifts: [giftOf(draft, cents)] },
        }),
      ),
    retry: (count, error) => count < MOST_RETRIES && error instanceof ApiError && PASSING.includes(error.code),
    retryDelay: RETRY_MS,
    meta: { done: 'The gift is bought.' },
    onSuccess: () =>
      Promise.all(
        ['gifts', 'orders', 'balance', 'overview'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
      ),
    onError: (error) => {
      const faults = refusedField(error);
      if (faults !== undefined) onRefused(faults);
    },
  });
}

interface DoneProps {
  sent: Sent;
  draft: Draft;
  cents: number;
  onRestart: () => void;
}

function Done({ sent, draft, cents, onRestart }: DoneProps) {
  const { params, currency, environment } = useScope();
  const [gift] = sent.gifts;
  const { email, phone } = addressOf(draft) as { email?: string; phone?: string };
  const amount = formatMoney(cents, currency);
  const isSandbox = environment === 'sandbox';
  const planned = isLater(draft) ? formatPlannedTime(isoOf(draft.sendAt)) : undefined;
  const way = isSandbox ? 'No message is sent in the sandbox.' : 'Its timeline shows when the message arrives.';
  return (
    <Panel>
      <div role="status" className="grid justify-items-center gap-2 py-6 text-center">
        <p className="font-serif text-2xl font-semibold">
          {gift?.link
            ? 'The link is ready'
            : planned === undefined
              ? 'The gift is on its way'
              : 'The gift is scheduled'}
        </p>
        <p className="max-w-md text-soft wrap-anywhere">
          {gift?.link
            ? `Anyone with this link can claim ${amount}. Share it only with the recipient.`
            : planned === undefined
              ? `${amount} to ${email ?? phone}. ${way}`
              : `${amount} to ${email ?? phone} on ${planned}. Until then you can change the time or cancel the gift.`}
        </p>
        {gift?.link && (
          <div className="mt-3 grid w-full max-w-xl justify-items-center gap-3">
            <p className="w-full rounded-xl bg-sunken px-3 py-2 text-left font-mono text-[0.8125rem] wrap-anywhere">
              {gift.link}
            </p>
            <CopyButton text={gift.link} label="Copy link" />
          </div>
        )}
        <div className="mt-5 flex flex-wrap justify-center gap-3">
          {gift === undefined ? (
            <ButtonLink
              to="/$organizationId/$environment/orders/$orderId"
              params={{ ...params, orderId: sent.order_id }}
              variant="primary"
            >
              View order
            </ButtonLink>
          ) : (
            <ButtonLink
              to="/$organizationId/$environment/gifts/$giftId"
              params={{ ...params, giftId: gift.gift_id }}
              variant="primary"
            >
              View gift
            </ButtonLink>
          )}
          <Button onClick={onRestart}>Send another</Button>
        </div>
      </div>
    </Panel>
  );
}
