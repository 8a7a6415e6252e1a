import { Bestow, BestowError, type BestowEvent } from '../../sdk/src/index.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import type { LoadOrganization } from '../load/state.ts';

/** What one program has seen of a feed, from the beginning. */
export interface FollowedFeed {
  organization: LoadOrganization;
  events: BestowEvent[];
  /** Broken promises, a sentence each. */
  failures: string[];
}

export interface Follower {
  feeds: readonly FollowedFeed[];
  /** Ends the streams once each has seen its last event. */
  stop(sql: Sql): Promise<string[]>;
}

type Sql = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Follows the feeds with the client's streams, each from one server. Every order must be there when its event is. */
export function followFeeds(urls: readonly string[], organizations: readonly LoadOrganization[]): Follower {
  const stopping = new AbortController();
  const feeds = organizations.map((organization): FollowedFeed => ({ organization, events: [], failures: [] }));
  const runs = feeds.map((feed, index) => follow(feed, urls[index % urls.length] ?? '', stopping.signal));
  return {
    feeds,
    async stop(sql) {
      const failures: string[] = [];
      for (const feed of feeds) failures.push(...(await compare(feed, sql)));
      stopping.abort();
      await Promise.all(runs);
      return [...failures, ...feeds.flatMap((feed) => feed.failures)];
    },
  };
}

async function follow({ organization, events, failures }: FollowedFeed, baseUrl: string, signal: AbortSignal) {
  const bestow = new Bestow(organization.key, { baseUrl, timeoutMs: 120_000, maxRetries: 100 });
  try {
    for await (const event of bestow.events.stream({ after: 0 }, { signal })) {
      if (event.sequence !== events.length + 1)
        failures.push(`${organization.number}: event ${event.sequence} came after ${events.length}.`);
      events.push(event);
      // An event before its commit would be about an order that does not exist yet.
      if (event.type === 'order.created' && event.sequence % 7 === 0)
        await bestow.orders.retrieve(String(event.data.order_id), { signal });
    }
  } catch (error) {
    if (!signal.aborted) failures.push(`A stream ended with ${error instanceof BestowError ? error.message : error}.`);
  }
}

/** Compares what was seen with the table: an event of a commit that was lost would be missing there. */
async function compare({ organization, events }: FollowedFeed, sql: Sql): Promise<string[]> {
  const { organizationId, environment, number } = organization;
  const held = await sql<{ event_id: string }>(
    'select event_id from events where organization_id = $1 and environment = $2 order by sequence',
    [decodeId('org', organizationId), environment],
  );
  const untilMs = performance.now() + HUNG_AFTER_MS;
  while (events.length < held.length && performance.now() < untilMs)
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  if (events.length !== held.length)
    return [`Of ${held.length} events of ${number} ${environment}, ${events.length} were seen before it hung.`];
  const wrong = held.find(({ event_id }, index) => decodeId('evt', events[index]?.event_id ?? '') !== event_id);
  return wrong === undefined ? [] : [`Event ${wrong.event_id} of ${number} ${environment} was not seen in its place.`];
}
