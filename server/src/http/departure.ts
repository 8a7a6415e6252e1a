import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

interface Leaving {
  request: FastifyRequest;
  reply: FastifyReply;
  send(): void;
}

/** Answers of one turn of the event loop leave one after another: whoever reads them is woken once, not for each. */
export function createDeparture(app: FastifyInstance, log: Pick<Logger, 'error'>): (answer: Leaving) => void {
  const leaving: Leaving[] = [];

  function letLeave(): void {
    for (const { request, reply, send } of leaving.splice(0)) {
      // Otherwise the connection stays open for a next request, and a stop waits for that.
      if (!app.server.listening) reply.raw.shouldKeepAlive = false;
      try {
        send();
      } catch (error) {
        log.error({ err: error, request_id: request.requestId }, 'An answer could not be sent.');
        request.raw.socket.destroy();
      }
    }
  }

  return (answer) => {
    if (leaving.push(answer) === 1) setImmediate(letLeave);
  };
}
