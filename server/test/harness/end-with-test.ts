import { getTestContext, type TestContext } from 'node:test';

/**
 * Ends with the running test or suite what a harness started, also if an assertion fails. Outside of tests its caller ends it.
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
  // A suite has it too, although its type does not say so.
  if (context !== undefined) (context as TestContext).after(endOnce);
  return endOnce;
}
