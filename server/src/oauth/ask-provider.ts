import type { FastifyRequest } from 'fastify';
import inject, { type Response } from 'light-my-request';
import type Provider from 'oidc-provider';

interface Question {
  method: 'GET' | 'POST';
  /** With its query. */
  path: string;
  contentType?: 'application/json' | 'application/x-www-form-urlencoded';
  body?: string;
}

/**
 * Lets the library answer a request in this process. It sees the public address, whatever a proxy sends, and of the browser’s
 * headers only the cookies.
 */
export function askProvider(
  provider: Provider,
  publicUrl: string,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  { method, path, contentType, body }: Question,
): Promise<Response> {
  const { host, protocol } = new URL(publicUrl);
  return inject(provider.callback(), {
    method,
    url: path,
    remoteAddress: ip,
    headers: {
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
      accept: 'application/json',
      ...(headers.cookie === undefined ? {} : { cookie: headers.cookie }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
}
