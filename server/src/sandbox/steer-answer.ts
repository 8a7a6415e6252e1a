import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import type { SteeringEffect } from './steering.ts';

const SLOW_MS = 5_000;
/** Each slow answer holds a client connection; above this number, answers are not delayed. */
const MAX_SLOW = 500;

/**
 * Delays or drops the answer to a committed request.
 *
 * @throws OutcomeUnknown if an address asks to drop the connection
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
