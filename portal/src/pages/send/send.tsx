import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { addressOf, useContact } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { useDraft, useDraftKey } from '../../layout/drafts.ts';
import { FormError } from '../../ui/field.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useTopOf } from '../../ui/use-top-of.ts';
import { Asked, useAsk } from '../approvals/ask.tsx';
import {
  amountOf,
  type Draft,
  emptyDraft,
  type FieldErrors,
  faultsOf,
  giftOf,
  isUnanswered,
  type KeptForm,
  newForm,
  refusedField,
  removeForm,
  restoreForm,
  type StoredForm,
} from '../gift-form/send-draft.ts';
import { SendPreview } from '../gift-form/send-preview.tsx';
import { LimitLeft } from './limit-left.tsx';
import { fieldsOf } from './recipient-fields.tsx';
import { Done } from './send-done.tsx';
import { SendForm } from './send-form.tsx';
import { SendReview } from './send-review.tsx';

/** Sends one gift: write, review, done. */
export function SendPage() {
  const { environment, may } = useScope();
  // Another person who signs in has another form.
  const key = useDraftKey('send');
  return (
    <Page
      title="Send a gift"
      description={
        <>
          {environment === 'sandbox' && 'A test gift: no real money, no messages.'}
          {may('order') && <LimitLeft />}
        </>
      }
    >
      {may('order', 'request') ? (
        <Form key={key} storageKey={key} />
      ) : (
        <Panel>
          <EmptyState title="Gifts cannot be sent now">
            The organization is suspended, or you need a second factor. The banner above says which.
          </EmptyState>
        </Panel>
      )}
    </Page>
  );
}

function Form({ storageKey }: { storageKey: string }) {
  const form = useDraft(storageKey, newForm, restoreForm);
  const contact = useContactOfUrl(form);
  if (contact.isLoading)
    return (
      <Panel>
        <Skeleton />
      </Panel>
    );
  return (
    <>
      <FormError error={contact.error} />
      <Steps key={form.value.formId} storageKey={storageKey} form={form} />
    </>
  );
}

/** Fills in the contact that the URL names, once. A gift that was tried stays as it is. */
function useContactOfUrl(form: StepsProps['form']) {
  const { contact: contactId } = route.useSearch();
  const navigate = route.useNavigate();
  const contact = useContact(contactId);
  const found = contact.data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each contact
  useEffect(() => {
    if (found === undefined) return;
    const { draft, isTried } = form.value;
    // What was written for this contact stays; a message to another person does not.
    const isSame = addressOf(found) === draft.email || addressOf(found) === draft.phone;
    const texts = isSame ? draft : withoutRecipient(draft);
    if (!isTried) form.set({ ...form.value, draft: { ...texts, ...fieldsOf(found) } });
    void navigate({ search: {}, replace: true });
  }, [found]);
  const { error } = contact;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    // Not the person of the gift before.
    if (error !== null && !form.value.isTried) form.set({ ...form.value, draft: withoutRecipient(form.value.draft) });
  }, [error]);
  return contact;
}

interface StepsProps {
  storageKey: string;
  form: ReturnType<typeof useDraft<KeptForm>>;
}

/** Sends the gift or asks for it; if a field is refused, the form is shown again. */
function useSend(
  form: StepsProps['form'],
  sending: ReturnType<typeof usePurchase> | ReturnType<typeof useAsk>,
  leaveReview: () => void,
) {
  const [refused, setRefused] = useState<FieldErrors>({});
  const send = () => {
    form.set({ ...form.value, isTried: true });
    sending.mutate(undefined, {
      onError: (error) => {
        if (isUnanswered(error)) return;
        form.set({ ...form.value, isTried: false });
        const faults = refusedField(error);
        if (faults === undefined) return;
        setRefused(faults);
        leaveReview();
      },
    });
  };
  return { send, refused, setRefused };
}

/** The steps are steps of the browser's history. */
function Steps({ storageKey, form }: StepsProps) {
  const { draft, isTried } = form.value;
  const { may, currency, marks } = useScope();
  const { step, goTo, leaveReview } = useStep();
  const cents = amountOf(draft, currency) ?? 0;
  const stored = { key: storageKey, form: form.value };
  const purchase = usePurchase(stored, cents);
  const request = useAsk(stored, cents);
  const sending = may('order') ? purchase : request;
  const { send, refused, setRefused } = useSend(form, sending, leaveReview);
  const isSent = sending.data !== undefined;
  const isReviewed = isTried || (step === 'review' && Object.keys(faultsOf(draft, marks)).length === 0);
  const top = useTopOf(`${isReviewed} ${isSent}`);
  const restart = (next: Draft) => {
    form.restart(newForm(next));
    goTo(undefined);
  };
  useEndOfSteps(isSent, step, goTo, () => form.restart(newForm(withoutRecipient(draft))));
  const onRestart = () => restart(withoutRecipient(draft));
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
              stored={stored}
              cents={cents}
              sending={sending}
              onSend={send}
              onBack={() => {
                sending.reset();
                leaveReview();
              }}
              onAnother={() => form.set(newForm(draft))}
              onDiscard={() => restart(emptyDraft())}
              onTried={(isNow) => form.set({ ...form.value, isTried: isNow })}
            />
          ) : (
            <SendForm
              draft={draft}
              refused={refused}
              isKept={form.isKept}
              onChange={(changed) => {
                setRefused({});
                form.set({ ...form.value, draft: changed });
              }}
              onReview={() => {
                sending.reset();
                goTo('review');
              }}
              onDiscard={() => restart(emptyDraft())}
            />
          )}
          <SendPreview draft={draft} />
        </div>
      )}
    </div>
  );
}

/** A sent gift is the last step; “back” from it begins another gift. */
function useEndOfSteps(isSent: boolean, step: string | undefined, goTo: (step: 'sent') => void, onLeft: () => void) {
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isSent) goTo('sent');
  }, [isSent]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each step
  useEffect(() => {
    if (isSent && step === 'sent') wasShown.current = true;
    if (isSent && step === undefined && wasShown.current) onLeft();
  }, [isSent, step]);
}

/** The next gift is for another person. */
const withoutRecipient = (draft: Draft): Draft => ({
  ...draft,
  email: '',
  phone: '',
  recipientName: '',
  message: '',
  template: '',
});

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/send');

function useStep() {
  const { params } = useScope();
  const { step } = route.useSearch();
  const navigate = useNavigate();
  const router = useRouter();
  const cameFromForm = useRef(false);
  const goTo = (next: 'review' | 'sent' | undefined) => {
    if (next === 'review') cameFromForm.current = true;
    void navigate({
      to: '/$organizationId/$environment/gifts/send',
      params,
      search: next === undefined ? {} : { step: next },
      replace: next !== 'review',
    });
  };
  const leaveReview = () => {
    if (step !== 'review') return;
    if (cameFromForm.current) router.history.back();
    else goTo(undefined);
    cameFromForm.current = false;
  };
  return { step, goTo, leaveReview };
}

function usePurchase({ key, form: { formId, draft } }: StoredForm, cents: number) {
  const { path, marks } = useScope();
  return useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/orders`, {
          params: { path },
          body: { form_id: formId, gifts: [giftOf(draft, cents, marks)] },
        }),
      ),
    isRetried: true,
    onAnswer: () => removeForm(key, formId),
    doneElsewhere: 'The gift is bought.',
  });
}
