import type { IdGenerator } from '../base/ids.ts';
import type { Destination } from '../gifts/address.ts';
import type { GiftState } from '../gifts/status.ts';
import type { SteeringEffect } from './steering.ts';

interface InitialState extends GiftState {
  card_id: string | null;
  isSpent: boolean;
}

/** How far each effect takes a gift along `sent → opened → claimed → spent`. */
const reach: Partial<Record<SteeringEffect, number>> = { opened: 1, claimed: 2, spent: 3 };

/** Returns the state that a gift begins in: pending, null for a link, or further if its address steers it. */
export function initialState(
  ids: IdGenerator,
  now: Date,
  { method }: Destination,
  effect: SteeringEffect | undefined,
): InitialState {
  const steps = (effect && reach[effect]) ?? 0;
  const isDelivered = effect === 'delivered' || steps > 0;
  const delivery = isDelivered ? 'delivered' : effect === 'failed' ? 'failed' : 'pending';
  return {
    delivery_state: method === 'link' ? null : delivery,
    opened_at: steps >= 1 ? now : null,
    claimed_at: steps >= 2 ? now : null,
    card_id: steps >= 2 ? ids.next() : null,
    isSpent: steps >= 3,
  };
}
