import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useUnsentOfContacts } from '../../api/unsent-gifts.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { endings, outcomeText, UnsentChoice } from '../../ui/unsent-choice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { addressOf, type Contact } from './contact.ts';

/** Deletes a contact after a question. */
export function RemoveContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { path, currency } = useScope();
  const [choice, setChoice] = useState<'cancel' | 'keep'>('cancel');
  const unsent = useUnsentOfContacts([contact.contact_id]);
  const removal = useAct({
    send: () =>
      unwrap(
        api.DELETE(`${SCOPE_PATH}/contacts/{contact_id}`, {
          params: { path: { ...path, contact_id: contact.contact_id }, query: { unsent_gifts: choice } },
        }),
      ),
    done: ({ canceled_gifts, refunded, withdrawn_requests }) => {
      const [gifts, requests] = [canceled_gifts.length, withdrawn_requests.length];
      const outcome = { canceled_gifts: gifts, refunded, withdrawn_requests: requests, moved: 0 };
      return `Contact deleted. ${outcomeText(outcome, currency)}`.trim();
    },
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${contact.name ?? addressOf(contact)}?`}
      description="The contact gets no yearly gifts any more. Gifts that were sent stay as they are."
      action="Delete contact"
      dismiss="Keep contact"
      act={{ ...removal, isPending: removal.isPending || unsent.isPending, error: removal.error ?? unsent.error }}
    >
      <UnsentChoice unsent={unsent.data} options={endings(unsent.data)} value={choice} onChange={setChoice} />
    </ConfirmDialog>
  );
}
