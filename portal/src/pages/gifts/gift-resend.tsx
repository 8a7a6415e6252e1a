import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { newFormId } from '../gift-form/send-draft.ts';
import { giftQuery } from './gift-query.ts';

type Gift = components['schemas']['GiftPage']['gift'];

/** The button that sends an email or phone gift once more to its address. */
export function ResendGift({ gift }: { gift: Gift }) {
  const { path } = useScope();
  const resend = useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/gifts/{gift_id}/resend`, {
          params: { path: { ...path, gift_id: gift.gift_id } },
          body: { press_id: newFormId() },
        }),
      ),
    shows: giftQuery(path, gift.gift_id).queryKey,
    done: `Gift sent again to ${gift.address}.`,
    saysRefusal: true,
  });
  return (
    <Button onClick={() => resend.mutate()} disabled={resend.isPending}>
      Send again
    </Button>
  );
}
