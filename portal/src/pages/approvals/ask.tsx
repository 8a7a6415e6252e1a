import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';
import { giftOf, removeForm, type StoredForm } from '../gift-form/send-draft.ts';
import type { GiftRequest } from './request-badge.tsx';

/** Asks for a gift; the same form asks once. */
export function useAsk({ key, form: { formId, draft } }: StoredForm, cents: number) {
  const { path, marks } = useScope();
  return useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/gift-requests`, {
          params: { path },
          body: { form_id: formId, gift: giftOf(draft, cents, marks) },
        }),
      ),
    onAnswer: () => removeForm(key, formId),
    doneElsewhere: 'Your request waits for an approval.',
  });
}

export function Asked({ request, onRestart }: { request: GiftRequest; onRestart: () => void }) {
  const { params, currency } = useScope();
  return (
    <Panel>
      <div role="status" className="grid justify-items-center gap-2 py-6 text-center">
        <p className="font-serif text-2xl font-semibold">Your request waits for an approval</p>
        <p className="max-w-md text-soft">
          {formatMoney(request.amount, currency)}. Nothing is bought until it is approved. We email you the decision.
        </p>
        <div className="mt-5 flex flex-wrap justify-center gap-3">
          <ButtonLink
            to="/$organizationId/$environment/gifts/requests/$requestId"
            params={{ ...params, requestId: request.gift_request_id }}
            variant="primary"
          >
            View request
          </ButtonLink>
          <Button onClick={onRestart}>Ask for another</Button>
        </div>
      </div>
    </Panel>
  );
}
