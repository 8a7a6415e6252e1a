import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { changedByGifts, useUnsentOfContact } from '../../api/unsent-gifts.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countOf, formatMoney } from '../../ui/formats.ts';
import { useToast } from '../../ui/toast.tsx';
import { UnsentChoice } from '../../ui/unsent-choice.tsx';
import { addressOf, type Contact } from './contact.ts';

const options = [
  { value: 'cancel', label: 'Cancel it. The amount returns to the balance.' },
  { value: 'keep', label: 'Keep it. It goes out all the same.' },
] as const;

/** Deletes a contact after a question. */
export function RemoveContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { path, currency } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [choice, setChoice] = useState<'cancel' | 'keep'>('cancel');
  const unsent = useUnsentOfContact(contact.contact_id);
  const removal = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE(`${SCOPE_PATH}/contacts/{contact_id}`, {
          params: { path: { ...path, contact_id: contact.contact_id }, query: { unsent_gifts: choice } },
        }),
      ),
    onSuccess: async ({ canceled_gifts, refunded }) => {
      await Promise.all(changedByGifts.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
      const gifts = canceled_gifts.length;
      showToast(
        gifts === 0
          ? 'Contact deleted.'
          : `Contact deleted, and ${countOf(gifts, 'gift')} canceled. ${formatMoney(refunded, currency)} is back in the balance.`,
      );
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${contact.name ?? addressOf(contact)}?`}
      description="The contact gets no yearly gifts any more. Gifts that were sent stay as they are."
      action="Delete contact"
      dismiss="Keep contact"
      isBusy={removal.isPending || unsent.isPending}
      error={removal.error ?? unsent.error}
      onConfirm={() => removal.mutate()}
    >
      <UnsentChoice unsent={unsent.data} options={options} value={choice} onChange={setChoice} />
    </ConfirmDialog>
  );
}
