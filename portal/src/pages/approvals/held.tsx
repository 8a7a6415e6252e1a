import { useNavigate } from '@tanstack/react-router';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { giftOf, isUnanswered, removeForm, type StoredForm } from '../gift-form/send-draft.ts';
import type { GiftRequest } from './request-badge.tsx';

/** Whether an approval rule holds the order back. */
export const isHeld = (error: Error | null): boolean => error instanceof ApiError && error.code === 'approval_required';

/**
 * Asks for what a rule holds back, and shows the request. The same form asks once.
 *
 * @param forget removes the form that the tab keeps
 */
export function useAskForHeld(ask: () => Promise<GiftRequest>, forget: () => void) {
  const { path, params } = useScope();
  const navigate = useNavigate();
  const { mutate, error, isPending } = useAct({
    send: ask,
    shows: ({ gift_request_id }) => ['gift-requests', path, gift_request_id],
    waits: false,
    onAnswer: forget,
    doneElsewhere: 'Your request for an approval is sent.',
  });
  const show = (request: GiftRequest) =>
    void navigate({
      to: '/$organizationId/$environment/gifts/requests/$requestId',
      params: { ...params, requestId: request.gift_request_id },
      replace: true,
    });
  return {
    error,
    isPending,
    // These callbacks are not called if the page is left.
    ask: (onError: (refusal: Error) => void = () => undefined) => mutate(undefined, { onSuccess: show, onError }),
  };
}

interface HeldProps {
  asking: Pick<ReturnType<typeof useAskForHeld>, 'error' | 'isPending'>;
  onAsk: () => void;
  /** On the button that leads back. */
  back: string;
  onBack: () => void;
}

/** Says that a rule holds the order back, and offers to ask for an approval. */
export function Held({ asking: { error, isPending }, onAsk, back, onBack }: HeldProps) {
  const isUnknown = isUnanswered(error);
  return (
    <>
      <div role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
        <p className="font-semibold">This needs an approval. Nothing was bought.</p>
        <p className="mt-1">
          {isUnknown
            ? 'No answer arrived, so the request may already be sent. Ask again: this form asks once.'
            : 'Ask for it: those who decide get an email, and it is bought when they approve it.'}
        </p>
      </div>
      <FormError error={isUnknown ? null : error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="primary" onClick={onAsk} isBusy={isPending}>
          {isPending ? 'Asking…' : isUnknown ? 'Ask again' : 'Ask for approval'}
        </Button>
        <Button onClick={onBack} disabled={isPending || isUnknown}>
          {back}
        </Button>
      </div>
    </>
  );
}

interface HeldGiftProps {
  stored: StoredForm;
  cents: number;
  /** Notes whether no answer says that nothing was asked. */
  onTried: (isTried: boolean) => void;
  onBack: () => void;
}

/** A gift of the form for one, which a rule holds back. */
export function HeldGift({ stored: { key, form }, cents, onTried, onBack }: HeldGiftProps) {
  const { path, marks } = useScope();
  const { formId, draft } = form;
  const body = { form_id: formId, gifts: [giftOf(draft, cents, marks)] };
  const asking = useAskForHeld(
    () => unwrap(api.POST(`${SCOPE_PATH}/gift-requests/orders`, { params: { path }, body })),
    () => removeForm(key, formId),
  );
  const ask = () => {
    onTried(true);
    asking.ask((error) => !isUnanswered(error) && onTried(false));
  };
  return <Held asking={asking} onAsk={ask} back="Change" onBack={onBack} />;
}
