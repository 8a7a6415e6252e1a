import type { FastifyInstance } from 'fastify';
import { createRequestBuffer } from './request-buffer.ts';
import { entryOf, type RequestEntry } from './request-entry.ts';
import { type WriterDeps, writeRequests } from './write-requests.ts';

/**
 * Keeps the log of the requests that came with a key of an organization, refused ones too. A request never waits for it:
 * it is noted in memory before its answer leaves, and written within a second or two; under load a bounded number is.
 */
export function recordRequests(app: FastifyInstance, deps: WriterDeps): void {
  const { clock, config, log } = deps;
  const buffer = createRequestBuffer<RequestEntry>();
  const stop = writeRequests(deps, buffer);

  // Not once the answer is through: for a client that hangs up meanwhile that moment never comes.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { keyOwner } = request;
    if (keyOwner !== undefined)
      try {
        const isError = reply.statusCode >= 400;
        buffer.offer(keyOwner.organization_id, isError, () =>
          entryOf(request, reply, keyOwner, clock.now(), config.sandboxMailDomain),
        );
      } catch (error) {
        log.error({ err: error, request_id: request.requestId }, 'A request could not be noted for the request log.');
      }
    done();
  });
  app.addHook('onClose', stop);
}
