/** A timer set to more fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What each limit is, and what ends it. A FakeBestow ends one as soon as it knows that the answer would come later. */
export const limits = new WeakMap<AbortSignal, { ms: number; end: () => void }>();

/** Aborts after `ms` or with `stop`; `release` removes the listener and the timer. */
export const limit = (ms: number, stop: AbortSignal | undefined) => {
  const ending = new AbortController();
  let resolve: () => void;
  const ended = new Promise<void>((resolveNow) => {
    resolve = resolveNow;
  });
  const end = () => {
    ending.abort();
    resolve();
  };
  const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
  stop?.addEventListener('abort', end);
  if (stop?.aborted) end();
  limits.set(ending.signal, { ms, end });
  const release = () => {
    clearTimeout(timer);
    stop?.removeEventListener('abort', end);
  };
  return { signal: ending.signal, ended, release };
};
export const sleep = async (ms: number, stop: AbortSignal) => {
  const { ended, release } = limit(ms, stop);
  await ended;
  release();
};
