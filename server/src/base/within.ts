import { setTimeout as wait } from 'node:timers/promises';

/** Waits for the act for at most `limitMs`; after that `onTimeout` gives the result, or throws. The act itself goes on. */
export async function within<Result>(
  limitMs: number,
  act: Promise<Result>,
  onTimeout: () => NoInfer<Result>,
): Promise<Result> {
  const waiting = new AbortController();
  const limit = wait(limitMs, undefined, { signal: waiting.signal }).then(onTimeout);
  try {
    return await Promise.race([act, limit]);
  } finally {
    waiting.abort();
  }
}
