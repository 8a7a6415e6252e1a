import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import { giftQuery } from './gift-query.ts';

type Gift = components['schemas']['GiftPage']['gift'];

/** The button that puts a gift on hold or releases it. An admin may hold it while the organization is suspended. */
export function GiftHold({ gift }: { gift: Gift }) {
  const { includes, may } = useScope();
  const [isAsked, setIsAsked] = useState(false);
  const { hold, release } = useHold(gift.gift_id, () => setIsAsked(false));
  if (gift.held_by === 'gift')
    return (
      may('manage') && (
        <Button onClick={() => release.mutate()} isBusy={release.isPending}>
          Release gift
        </Button>
      )
    );
  return (
    includes('manage') && (
      <>
        <Button onClick={() => setIsAsked(true)}>Put on hold</Button>
        <ConfirmDialog
          isOpen={isAsked}
          onClose={() => setIsAsked(false)}
          title="Put this gift on hold?"
          description={
            gift.claimed_at === null
              ? 'No one can claim it until an admin releases it. Its page asks the recipient to talk to the sender.'
              : 'No one can see or use its card until an admin releases it. Its page asks the recipient to talk to the sender.'
          }
          action="Put on hold"
          act={hold}
        />
      </>
    )
  );
}

function useHold(giftId: string, onHeld: () => void) {
  const { path } = useScope();
  const one = { params: { path: { ...path, gift_id: giftId } } };
  const shows = giftQuery(path, giftId).queryKey;
  const hold = useAct({
    send: () => unwrap(api.POST(`${SCOPE_PATH}/gifts/{gift_id}/hold`, one)),
    shows,
    done: 'Gift put on hold.',
    onDone: onHeld,
  });
  const release = useAct({
    send: () => unwrap(api.POST(`${SCOPE_PATH}/gifts/{gift_id}/release`, one)),
    shows,
    done: 'Gift released.',
    saysRefusal: true,
  });
  return { hold, release };
}
