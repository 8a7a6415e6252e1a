import fc from 'fast-check';
import { type Exchange, exchange } from '../exchange.ts';
import { findBrokenTables } from '../find-broken-tables.ts';
import type { Suite, SuiteRun } from '../suite.ts';
import { checkRequest, Finding } from './check-request.ts';
import { operations } from './document.ts';
import { type DrawnRequest, drawnRequests } from './drawn-request.ts';
import { openSite, type Site } from './site.ts';

/** Requests between two lines of progress. */
const REQUESTS_PER_LINE = 10_000;
/** From so many requests on, each operation must have accepted one. */
const ENOUGH_REQUESTS = 3_000;

/**
 * Sends so many drawn requests to the site, one after another; the first finding ends it, after it was made as small as
 * it gets.
 */
export async function checkRequests(site: Site, send: Exchange, { seed, count, say }: SuiteRun): Promise<string[]> {
  const outcomes = new Map<string, number>();
  const tell = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  let sent = 0;
  const property = fc.asyncProperty(drawnRequests, async (drawn: DrawnRequest) => {
    await checkRequest(site, send, drawn, tell);
    sent += 1;
    if (sent % REQUESTS_PER_LINE === 0) say(`${sent} requests`);
  });
  const { failed, counterexamplePath, errorInstance, numShrinks } = await fc.check(property, { seed, numRuns: count });
  if (failed) {
    const reason = errorInstance instanceof Finding ? errorInstance.message : (errorInstance as Error)?.stack;
    return [`${reason}\n    seed ${seed}, path ${counterexamplePath}, after ${numShrinks} steps towards the smallest`];
  }
  for (const [outcome, times] of [...outcomes].sort()) say(`${outcome}: ${times}`);
  if (count < ENOUGH_REQUESTS) return [];
  return operations
    .filter(({ operationId }) => ![...outcomes.keys()].some((outcome) => outcome.startsWith(`${operationId} 2`)))
    .map(({ operationId }) => `${operationId} has never accepted a valid request`);
}

export const generatedRequests: Suite = {
  name: 'requests',
  counts: { whole: 100_000, short: 5_000 },
  async run(options) {
    const site = await openSite();
    try {
      return [...(await checkRequests(site, exchange, options)), ...(await findBrokenTables(site.service))];
    } finally {
      await site.service.close();
    }
  },
};
