import { getTestContext, type TestContext } from 'node:test';

/** What each running test or suite has started, in order. */
const startedIn = new WeakMap<object, (() => Promise<void>)[]>();

/**
 * Ends with the running test or suite what a harness started, also if an assertion fails: the last first, because it may use
 * the earlier ones. Outside of tests its caller ends it.
 *
 * @returns ends it earlier; each later call waits for the first
 */
export function endWithTest(end: () => unknown): () => Promise<void> {
  let ended: Promise<unknown> | undefined;
  const endOnce = async () => {
    ended ??= Promise.resolve(end());
    await ended;
  };
  const context = getTestContext();
  if (context === undefined) return endOnce;
  const started = startedIn.get(context) ?? [];
  if (started.length === 0) {
    startedIn.set(context, started);
    // A suite has `after` too, although its type does not say so.
    (context as TestContext).after(async () => {
      const errors: unknown[] = [];
      for (let next = started.pop(); next !== undefined; next = started.pop())
        await next().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    });
  }
  started.push(endOnce);
  return endOnce;
}
