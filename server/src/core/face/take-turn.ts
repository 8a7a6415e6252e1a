import { BestowError } from '../../platform/base/errors.ts';

/** Each holds a file of up to 750 kB. */
const MOST_OF_AN_ORGANIZATION = 5;

const lines = new Map<string, { last: Promise<unknown>; length: number }>();
let underWay: Promise<unknown> = Promise.resolve();

/**
 * Works on one thing at a time in this process. Organizations take turns: each has a queue, whose first waits for the others'.
 *
 * @throws BestowError `too_many_tries` if five of the organization wait
 */
export async function takeTurn<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
  const line = lines.get(organizationId) ?? { last: Promise.resolve(), length: 0 };
  if (line.length >= MOST_OF_AN_ORGANIZATION) throw new BestowError('too_many_tries', { retryAfterSeconds: 5 });
  lines.set(organizationId, line);
  line.length += 1;
  const done = line.last.then(() => {
    const worked = underWay.then(work);
    underWay = worked.catch(() => undefined);
    return worked;
  });
  line.last = done.catch(() => undefined);
  try {
    return await done;
  } finally {
    line.length -= 1;
    if (line.length === 0) lines.delete(organizationId);
  }
}
