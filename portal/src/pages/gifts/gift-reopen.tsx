import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';

type Gift = components['schemas']['GiftPage']['gift'];

/** The button for a recipient who lost the browser that claimed the gift. */
export function ReopenCard({ gift }: { gift: Gift }) {
  const { path } = useScope();
  const [isAsked, setIsAsked] = useState(false);
  const reopening = useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/gifts/{gift_id}/card/reopen`, {
          params: { path: { ...path, gift_id: gift.gift_id } },
        }),
      ),
    waits: false,
    done: 'Another browser can show this card within 24 hours.',
    onDone: () => setIsAsked(false),
  });
  const told =
    gift.address === null ? ' If the recipient left an email address, we tell them.' : ` We tell ${gift.address}.`;
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Let another browser show this card</Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title="Let another browser show this card?"
        description={`Do this only if you are sure who asks. Within 24 hours, the first browser that opens the gift’s link and asks for the number gets the card. The browser that showed it before no longer does.${told}`}
        action="Let another browser show it"
        act={reopening}
      />
    </>
  );
}

/** Says while another browser may take the card. */
export function ReopenedNotice({ gift: { card_reopened_until: until } }: { gift: Gift }) {
  if (until === null) return null;
  return (
    <p role="status" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      Another browser can take the card of this gift until <Time at={until} />.
    </p>
  );
}
