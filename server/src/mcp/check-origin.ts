import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../base/loopback.ts';
import { BestowError } from '../errors.ts';

/**
 * Refuses requests from pages of other sites, as the MCP specification requires. While the service’s own address is a
 * loopback address, also refuses other names for it, which a page of another site could point here.
 *
 * @throws BestowError `foreign_origin`
 */
export function checkOrigin({ headers: { origin, host = '' } }: FastifyRequest, publicUrl: string): void {
  const own = new URL(publicUrl);
  if (origin !== undefined && origin !== own.origin) throw new BestowError('foreign_origin');
  if (!isLoopback(own.hostname) || !URL.canParse(`http://${host}`)) return;
  if (isLoopback(new URL(`http://${host}`).hostname)) return;
  const message = 'This service is at a loopback address and was called by another name. Set PUBLIC_URL to that name.';
  throw new BestowError('foreign_origin', { message });
}
