import type { FastifyInstance } from 'fastify';
import { createRequestBuffer } from './request-buffer.ts';
import { entryOf, type RequestEntry } from './request-entry.ts';
import { type WriterDeps, writeRequests } from './write-requests.ts';

/**
 * Logs requests with an organization's key, also refused ones. A request does not wait for its row: rows are collected in
 * memory and written every second, up to a limit.
 */
export function recordRequests(app: FastifyInstance, deps: WriterDeps): void {
  const { clock, config, log } = deps;
  const buffer = createRequestBuffer<RequestEntry>();
  const stop = writeRequests(deps, buffer);

  // Not `onResponse`, which never comes if the client closes the connection.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { keyOwner } = request;
    if (keyOwner !== undefined)
      try {
        buffer.offer(() => entryOf(request, reply, keyOwner, clock.now(), config.sandboxMailDomain));
      } catch (error) {
        log.error({ err: error, request_id: request.requestId }, 'A request could not be noted for the request log.');
      }
    done();
  });
  app.addHook('onClose', stop);
}
