import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';
import { giftQuery } from './gift-query.ts';

type Gift = components['schemas']['GiftPage']['gift'];

/** The link of a gift that the organization shares itself. */
export function GiftLink({ gift }: { gift: Gift }) {
  const { path, may } = useScope();
  const link = useAct({
    send: () =>
      unwrap(api.GET(`${SCOPE_PATH}/gifts/{gift_id}/link`, { params: { path: { ...path, gift_id: gift.gift_id } } })),
  });
  const description =
    gift.claimed_at === null
      ? 'Anyone with this link can claim it.'
      : 'The gift is claimed. Only its recipient sees the card behind this link.';
  return (
    <Panel title="Gift link" description={description}>
      {!may('links') && <p className="text-soft">Hidden while the organization is suspended.</p>}
      {may('links') && gift.held_by !== null && <p className="text-soft">Hidden while the gift is on hold.</p>}
      {may('links') && gift.held_by === null && link.data === undefined && (
        <Button onClick={() => link.mutate()} isBusy={link.isPending}>
          Show link
        </Button>
      )}
      <FormError error={link.error} />
      {gift.held_by === null && link.data !== undefined && (
        <>
          <p className="rounded-xl bg-sunken px-3 py-2 font-mono text-[0.8125rem] wrap-anywhere">{link.data.link}</p>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-soft">
              Works until <Time at={link.data.expires_at} />
            </p>
            <CopyButton text={link.data.link} label="Copy link" />
          </div>
        </>
      )}
    </Panel>
  );
}

/** The button that ends all links of an unclaimed gift. */
export function ReplaceLink({ gift }: { gift: Gift }) {
  const { path } = useScope();
  const [isAsked, setIsAsked] = useState(false);
  const isLink = gift.method === 'link';
  const replacement = useAct({
    send: () =>
      unwrap(api.POST(`${SCOPE_PATH}/gifts/{gift_id}/link`, { params: { path: { ...path, gift_id: gift.gift_id } } })),
    shows: giftQuery(path, gift.gift_id).queryKey,
    waits: false,
    done: isLink ? 'Link replaced.' : `Gift sent again to ${gift.address}.`,
    onDone: () => setIsAsked(false),
  });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Replace link</Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title="Replace the link?"
        description={
          isLink
            ? 'Use this if someone else may have the link. All links of this gift stop working, and you get a new one to share.'
            : `Use this if someone else may have the link. All links of this gift stop working, and we send a new one to ${gift.address}.`
        }
        action="Replace link"
        act={replacement}
      />
    </>
  );
}
