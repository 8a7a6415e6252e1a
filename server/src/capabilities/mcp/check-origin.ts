import type { FastifyReply, FastifyRequest } from 'fastify';
import { BestowError } from '../../platform/base/errors.ts';
import { isLoopback } from '../../platform/base/loopback.ts';

interface Origins {
  publicUrl: string;
  /** MCP_ORIGINS. */
  allowed: readonly string[];
}

/**
 * Refuses requests from pages of other sites, as the MCP specification requires. While the service’s own address is a
 * loopback address, also refuses other names for it, which a page of another site could point here.
 *
 * @throws BestowError `foreign_origin`
 */
export function checkOrigin({ headers: { origin, host = '' } }: FastifyRequest, { publicUrl, allowed }: Origins): void {
  const own = new URL(publicUrl);
  if (origin !== undefined && !isOwn(origin, own) && !allowed.includes(origin)) throw new BestowError('foreign_origin');
  if (!isLoopback(own.hostname) || !URL.canParse(`http://${host}`)) return;
  if (isLoopback(new URL(`http://${host}`).hostname)) return;
  const message = 'This service is at a loopback address and was called by another name. Set PUBLIC_URL to that name.';
  throw new BestowError('foreign_origin', { message });
}

/** `localhost` and `127.0.0.1` with the same port are one service. */
function isOwn(origin: string, own: URL): boolean {
  if (origin === own.origin) return true;
  if (!isLoopback(own.hostname) || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  const isSame = protocol === own.protocol && port === own.port && isLoopback(hostname);
  return isSame && new URL(origin).origin === origin;
}

/** What the page may read of an answer. */
const EXPOSED = 'Mcp-Session-Id, Request-Id, Retry-After, WWW-Authenticate';
const HEADER_NAMES = /^[\w-]{1,60}(?:\s*,\s*[\w-]{1,60}){0,30}$/;
const PREFLIGHT_SECONDS = 7_200;

/** Lets the page of an allowed origin read the answer, also an error. Returns whether the request came from one. */
export function allowPage({ headers: { origin } }: FastifyRequest, reply: FastifyReply, { allowed }: Origins): boolean {
  if (allowed.length > 0) reply.header('vary', 'Origin');
  if (origin === undefined || !allowed.includes(origin)) return false;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  return true;
}

/** Answers the question of a browser before its first message. The key in the message decides, so any header is allowed. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = headers['access-control-request-headers'] ?? '';
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': HEADER_NAMES.test(asked) ? asked : 'authorization, content-type',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send();
}
