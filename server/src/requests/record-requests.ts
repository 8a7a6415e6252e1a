import type { FastifyInstance } from 'fastify';
import { entryOf, type RequestEntry } from './request-entry.ts';
import { type RequestBuffer, type WriterDeps, writeRequests } from './write-requests.ts';

/**
 * Logs requests with an organization's key, also refused ones. A request does not wait for its row: rows are collected in
 * memory and written every second, up to a limit.
 */
export function recordRequests(app: FastifyInstance, deps: WriterDeps): void {
  const { clock, config, log } = deps;
  const buffer = createRequestBuffer<RequestEntry>();
  const stop = writeRequests(deps, buffer);

  // Not `onResponse`, which never comes if the client closes the connection.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { caller } = request;
    const keyId = caller?.found?.key_id ?? null;
    if (caller !== undefined && keyId !== null)
      try {
        const { organizationId, environment } = caller;
        const keyOwner = { organizationId, environment, keyId };
        buffer.offer(() =>
          entryOf(request, reply, { payload, keyOwner, nowMs: clock.now(), mailDomain: config.sandboxMailDomain }),
        );
      } catch (error) {
        log.error({ err: error, request_id: request.requestId }, 'A request could not be noted for the request log.');
      }
    done();
  });
  app.addHook('onClose', stop);
}

/** Rows that a process keeps per second on average; a burst may use the rows that were not needed before. */
export const ENTRIES_PER_SECOND = 200;
export const MAX_ENTRIES = 1_000;

/** Keeps a bounded number of a second's requests. */
export function createRequestBuffer<Entry>(): RequestBuffer<Entry> {
  let entries: Entry[] = [];
  let room = MAX_ENTRIES;
  let leftOut = 0;
  return {
    offer(make) {
      if (entries.length < room) entries.push(make());
      else leftOut += 1;
    },
    take() {
      const taken = entries;
      room = Math.min(MAX_ENTRIES, room - taken.length + ENTRIES_PER_SECOND);
      entries = [];
      return taken;
    },
    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },
  };
}
