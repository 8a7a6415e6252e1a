import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { useAct } from '../../ui/use-act.ts';
import { giftQuery } from './gift-query.ts';

type Gift = components['schemas']['GiftPage']['gift'];
type Order = components['schemas']['Order'];

const MAX_REASON = 200;

/** The button that cancels an unclaimed gift. */
export function CancelGift({ gift }: { gift: Gift }) {
  const { path, currency } = useScope();
  if (gift.claimed_at !== null || gift.canceled_at !== null) return null;
  return (
    <Cancel
      title="Cancel this gift?"
      description={`The link ends, and ${formatMoney(gift.amount, currency)} returns to the balance. This can’t be undone.`}
      label="Cancel gift"
      dismiss="Keep gift"
      act={(body) => {
        const one = { params: { path: { ...path, gift_id: gift.gift_id } }, body };
        return unwrap(api.POST(`${SCOPE_PATH}/gifts/{gift_id}/cancel`, one));
      }}
      shows={giftQuery(path, gift.gift_id).queryKey}
      done="Gift canceled."
    />
  );
}

/** The button that cancels every unclaimed gift of an order. */
export function CancelOrder({ order }: { order: Order }) {
  const { path, currency } = useScope();
  const unclaimed = order.gifts.filter(({ claimed_at, canceled_at }) => claimed_at === null && canceled_at === null);
  if (unclaimed.length + order.pending_gift_count === 0) return null;
  const kept = order.gifts.filter((gift) => !unclaimed.includes(gift)).reduce((cents, { amount }) => cents + amount, 0);
  return (
    <Cancel
      title="Cancel the unclaimed gifts?"
      description={`Their links end, and ${formatMoney(order.amount - kept, currency)} returns to the balance. Claimed gifts stay. This can’t be undone.`}
      label="Cancel unclaimed gifts"
      dismiss="Keep gifts"
      act={(body) => {
        const one = { params: { path: { ...path, order_id: order.order_id } }, body };
        return unwrap(api.POST(`${SCOPE_PATH}/orders/{order_id}/cancel`, one));
      }}
      shows={['orders', path, order.order_id]}
      done="Unclaimed gifts canceled."
    />
  );
}

interface CancelProps {
  title: string;
  description: string;
  label: string;
  dismiss: string;
  act: (body: { reason?: string }) => Promise<unknown>;
  /** The key of what the answer is the new state of. */
  shows: QueryKey;
  done: string;
}

/** A button that asks for a reason, and cancels. */
export function Cancel({ title, description, label, dismiss, act, shows, done }: CancelProps) {
  const { may } = useScope();
  const [isAsked, setIsAsked] = useState(false);
  const [reason, setReason] = useState('');
  const close = () => {
    setIsAsked(false);
    setReason('');
  };
  const cancel = useAct({
    send: () => act(reason.trim() === '' ? {} : { reason: reason.trim() }),
    shows,
    waits: false,
    done,
    onDone: close,
  });
  return (
    may('cancel') && (
      <>
        <Button onClick={() => setIsAsked(true)}>{label}</Button>
        <ConfirmDialog
          isOpen={isAsked}
          onClose={close}
          title={title}
          description={description}
          action={label}
          dismiss={dismiss}
          act={cancel}
        >
          <TextField
            label="Reason (optional)"
            hint="Shown in the timeline and by the API. Recipients do not see it."
            value={reason}
            onChange={setReason}
            maxLength={MAX_REASON}
            autoComplete="off"
          />
        </ConfirmDialog>
      </>
    )
  );
}
