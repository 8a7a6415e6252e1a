import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import { DatabaseAway } from './open-database.ts';

const RETRY_MS = 1_000;
const SAY_AGAIN_MS = 60_000;

/** How long a command waits. */
export interface Patience {
  ms: number;
  /** As the operator wrote it, such as `10m`. */
  text: string;
}

/**
 * Repeats an act until no database of it is away: stopped, starting, out of reach or read-only. A reason that cannot pass by
 * itself is thrown at once.
 *
 * @param say gets a sentence at the first failure, and once a minute after it
 * @throws OperatorError if the time is over
 */
export async function whenThere<Result>(
  act: () => Promise<Result>,
  patience: Patience,
  say: (sentence: string) => void,
): Promise<Result> {
  const untilMs = performance.now() + patience.ms;
  let sayAtMs = 0;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DatabaseAway && error.canPass)) throw error;
      const nowMs = performance.now();
      if (nowMs >= untilMs) throw new OperatorError(`${error.message} It was not there within ${patience.text}.`);
      if (nowMs >= sayAtMs) {
        say(`${error.message} Waiting for it, at most ${patience.text}.`);
        sayAtMs = nowMs + SAY_AGAIN_MS;
      }
    }
    await wait(RETRY_MS);
  }
}
