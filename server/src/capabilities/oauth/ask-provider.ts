import type { FastifyRequest } from 'fastify';
import type { Response } from 'light-my-request';
import type Provider from 'oidc-provider';

interface Question {
  method: 'GET' | 'POST';
  /** With its query. */
  path: string;
  contentType?: 'application/json' | 'application/x-www-form-urlencoded';
  body?: string;
}

/**
 * Lets the library answer a request in this process. It sees the public address, which no proxy can change, and only the
 * cookies of the browser’s headers.
 */
export async function askProvider(
  provider: Provider,
  publicUrl: string,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  { method, path, contentType, body }: Question,
): Promise<Response> {
  const { host, protocol } = new URL(publicUrl);
  // Loaded with the first sign-in.
  const { default: inject } = await import('light-my-request');
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
