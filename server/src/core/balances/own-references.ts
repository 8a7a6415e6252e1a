import { OperatorError } from '../../platform/base/operator-error.ts';

/** The prefix of the service's own entries. Top-ups have Stripe's ids instead, by which customers find them there. */
const PREFIX = 'bestow:';
const STRIPE_ID = /^(?:pi|py|ch|re|pyr|dp|du|ccsbtxn|cbtxn)_\w+(?::undone)?$/;
/** Before the prefix. */
const EARLIER = 'taken back ';

/** Of an act on one gift that may come again. */
export const ownReference = (act: 'taken-back', giftId: string, count: number): string =>
  `${PREFIX}${act}:${giftId}${count === 1 ? '' : `:${count}`}`;

export const earlierReference = (giftId: string): string => EARLIER + giftId;

/**
 * Refuses a reference that the service gives to its own entries: a person's entry would stand in their place.
 *
 * @throws OperatorError
 */
export function requirePeoplesReference(reference: string | null | undefined): void {
  const text = reference?.trim().toLowerCase() ?? '';
  if (text.startsWith(PREFIX) || text.startsWith(EARLIER) || STRIPE_ID.test(text))
    throw new OperatorError(`The reference “${reference}” is kept for entries of Bestow itself. Choose another one.`);
}
