import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import type { KeyCaller } from '../../platform/authentication/caller.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { createEventWaiters, type EventWaiters } from './event-waiters.ts';
import { readResources } from './expand-events.ts';
import { type FeedRequest, parseFeedRequest } from './feed-query.ts';
import { presentEvent } from './present-event.ts';
import { type FeedPage, readFeed } from './read-feed.ts';
import { EventList, EventQuery } from './schema.ts';

const example = {
  object: 'list',
  data: [
    {
      event_id: 'evt_01k0fxw4mzejhtt6k1sqh3p5cg',
      type: 'gift.claimed',
      created_at: '2026-11-21T12:00:00.000Z',
      sequence: 1042,
      data: {
        order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
        gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
        delivery: { status: 'claimed' },
      },
    },
  ],
  has_more: false,
  next_after: 1042,
  first_sequence: 1,
};

export function eventRoutes(app: FastifyInstance, addRoute: AddRoute, deps: Deps): void {
  const waiters = createEventWaiters(deps);
  app.addHook('preClose', (done) => {
    waiters.close();
    done();
  });
  addRoute(
    {
      method: 'GET',
      path: '/v1/events',
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'What happened in this environment, in the order of commits. Sequences have no holes: a program that has read up to a sequence has seen every earlier event. Send `next_after` of each page as the next `after`; with `wait` a request at the end waits for the next event. Events are kept for 90 days, unless the operator has set another time.',
      access: 'key',
      isCompressed: true,
      waits: true,
      query: EventQuery,
      response: refTo(EventList),
      answers: { 200: { description: 'A page of events, oldest first.', example } },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    async ({ request, reply }) => {
      const caller = callerOf(request);
      const feed = parseFeedRequest(request.query);
      const page = await readOrWait(deps, waiters, caller, feed, reply);
      const resources = feed.isExpanded ? await readResources(deps, caller, page.rows, feed.parts) : undefined;
      return {
        object: 'list' as const,
        data: page.rows.map((row) => ({ ...presentEvent(row), ...(resources && { resource: resources(row) }) })),
        has_more: page.hasMore,
        next_after: page.nextAfter,
        first_sequence: page.firstSequence,
      };
    },
  );
}

/** Reads until there is an event, the time is over, or the client is gone. Each read checks the key again. */
async function readOrWait(
  deps: Deps,
  waiters: EventWaiters,
  caller: KeyCaller,
  feed: FeedRequest,
  { raw }: FastifyReply,
): Promise<FeedPage> {
  const untilMs = deps.clock.now() + feed.waitMs;
  const gone = new AbortController();
  const abort = () => gone.abort();
  raw.once('close', abort);
  // Gone, or waiting for the answer with its side closed: answered at once.
  const { socket } = raw;
  socket?.once('end', abort);
  try {
    for (let { after } = feed, isLast = false; ; ) {
      caller.atMs = deps.clock.now();
      const page = await readFeed(deps, caller, { ...feed, after });
      const leftMs = untilMs - deps.clock.now();
      if (page.rows.length > 0 || leftMs <= 0 || isLast) return page;
      after = page.nextAfter;
      if (!page.hasMore) isLast = !(await waiters.wait(caller, after, leftMs, gone.signal));
    }
  } finally {
    raw.off('close', abort);
    socket?.off('end', abort);
  }
}
