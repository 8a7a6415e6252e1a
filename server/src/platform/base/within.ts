import { setTimeout as wait } from 'node:timers/promises';

/** Waits at most `limitMs` for the act; then `onTimeout` returns the result or throws. The act continues. */
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
