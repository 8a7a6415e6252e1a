import type { TestContext } from 'node:test';
import type { TestService } from './test-service.ts';

/**
 * Blocks all database reads of the service during the act. Also disables the time-outs of this process, so that a busy
 * machine gives up no read.
 *
 * @param act gets a promise that resolves at the first read
 */
export async function whileReadsAreHeld<Result>(
  t: TestContext,
  { service: { deps } }: Pick<TestService, 'service'>,
  act: (isAsked: Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { read } = deps.database;
  const query = read.query.bind(read);
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const never = setTimeout;
  const { mock } = t.mock.method(globalThis, 'setTimeout', (() =>
    never(() => undefined, 0)) as unknown as typeof setTimeout);
  read.query = async (statement) => {
    asked.resolve();
    await held.promise;
    return query(statement);
  };
  try {
    return await act(asked.promise);
  } finally {
    mock.restore();
    read.query = query;
    held.resolve();
  }
}
