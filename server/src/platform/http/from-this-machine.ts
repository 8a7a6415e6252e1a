import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../base/loopback.ts';

const LOOPBACK_PEER = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const FORWARDING_HEADER = /^(?:forwarded|x-forwarded-.*|via|x-real-ip)$/;

/**
 * Whether a browser on this machine sent the request without a proxy. The `Host` check stops DNS rebinding, the peer check
 * stops other machines. Browsers never send HTTP/1.0; nginx did by default for years, without a forwarding header.
 */
export function isFromThisMachine({ headers, raw }: FastifyRequest): boolean {
  const [, host = ''] = /^(.*?)(?::\d{1,5})?$/.exec(headers.host ?? '') ?? [];
  return (
    raw.httpVersion !== '1.0' &&
    isLoopback(host) &&
    LOOPBACK_PEER.test(raw.socket.remoteAddress ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name))
  );
}
