import { Type } from 'typebox';
import { nullable, oneOf } from '../../../platform/api/schema.ts';
import { type GiftHistoryState, giftStates } from './state.ts';

/** How the portal shows what happened to a gift. */

export const GiftStatus = oneOf('sent', 'failed', 'opened', 'claimed', 'canceled', 'scheduled');
export const GiftMethod = oneOf('email', 'phone', 'link');
export const CategoryName = Type.Object({ id: Type.String(), name: Type.String() });

const State = oneOf(...(Object.keys(giftStates) as GiftHistoryState[]));
const IsKept = Type.Boolean({
  description: 'Whether its message is only in the outbox, as no provider is configured.',
});

/** How far a gift came. */
export const shownState = { status: GiftStatus, state: State, is_kept: IsKept };
export const shownStateIfAny = { status: nullable(GiftStatus), state: nullable(State), is_kept: IsKept };
