import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import type { SteeringEffect } from './steering.ts';

const SLOW_MS = 5_000;
/** Each holds a connection and a request's memory, but nothing of the database; one more is answered at once. */
const MAX_SLOW = 500;

/**
 * What becomes of the answer about something that was done: called once it is committed.
 *
 * @throws OutcomeUnknown where an address asks that the connection be dropped
 */
type SteerAnswer = (effects: readonly (SteeringEffect | undefined)[]) => Promise<void>;

export function createAnswerSteering({ clock }: Pick<Deps, 'clock'>): SteerAnswer {
  let slow = 0;
  return async (effects) => {
    if (effects.includes('slow') && slow < MAX_SLOW) {
      slow += 1;
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, SLOW_MS);
      });
      slow -= 1;
    }
    if (effects.includes('response_lost')) throw new OutcomeUnknown('The address asks for it.', { isSteered: true });
  };
}
