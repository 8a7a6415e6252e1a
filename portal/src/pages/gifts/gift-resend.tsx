import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { newFormId } from '../gift-form/send-draft.ts';
import { giftQueryKey } from './gift-query.ts';

type Gift = components['schemas']['GiftPage']['gift'];

/** The button that sends an email or phone gift once more to its address. */
export function ResendGift({ gift }: { gift: Gift }) {
  const { path } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const resend = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/gifts/{gift_id}/resend`, {
          params: { path: { ...path, gift_id: gift.gift_id } },
          body: { press_id: newFormId() },
        }),
      ),
    onSuccess: (history) => {
      queryClient.setQueryData(giftQueryKey(path, gift.gift_id), history);
      showToast(`Gift sent again to ${gift.address}.`);
      return queryClient.invalidateQueries({ queryKey: ['gifts'] });
    },
    onError: (error) => showToast(error.message),
  });
  return (
    <Button onClick={() => resend.mutate()} disabled={resend.isPending}>
      Send again
    </Button>
  );
}
