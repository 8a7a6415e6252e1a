import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { addressOf, type Contact } from './contact.ts';

/** Deletes a contact after a question. */
export function RemoveContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { path } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const removal = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE(`${SCOPE_PATH}/contacts/{contact_id}`, {
          params: { path: { ...path, contact_id: contact.contact_id } },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['contacts'] });
      showToast('Contact deleted.');
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
      isBusy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    />
  );
}
