import assert from 'node:assert/strict';
import { until } from './server-process.ts';
import type { TestService } from './test-service.ts';

export interface PortalAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any answer of any route
  body: any;
  headers: Headers;
}

/** Calls `/portal/api` as the portal's app does, with the cookies of one person. */
export interface PortalClient {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<PortalAnswer>;
  /** The cookie of the person's session. */
  cookie(): string;
  /** The same person at another process. */
  at(url: string): PortalClient;
}

/**
 * @param email signs in with a mailed code; null: signed out
 * @param origin of the calls, if it is not their URL
 */
export async function createPortalClient(
  service: TestService,
  email: string | null,
  origin?: string,
): Promise<PortalClient> {
  const jar = new Map<string, string>();
  const cookies = (end = '') =>
    [...jar]
      .filter(([name]) => name.endsWith(end))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  const clientAt = (url: string): PortalClient => ({
    async call(method, path, body, headers = { origin: origin ?? url }) {
      const response = await fetch(`${url}/portal/api${path}`, {
        method,
        headers: { ...headers, ...(jar.size === 0 ? {} : { cookie: cookies() }), 'content-type': 'application/json' },
        ...(body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      keepCookies(jar, response.headers);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    },
    cookie: () => cookies('session_token'),
    at: clientAt,
  });
  const client = clientAt(service.url);
  if (email !== null) {
    // The limit on attempts has passed.
    await service.clock.jump(120_000);
    await service.sql('delete from portal.codes');
    await client.call('POST', '/auth/email-otp/send-verification-otp', { email, type: 'sign-in' });
    const { status, body } = await client.call('POST', '/auth/sign-in/email-otp', {
      email,
      otp: await codeOf(service, email),
    });
    assert.equal(status, 200, JSON.stringify(body));
  }
  return client;
}

/** Keeps the cookies of an answer, as a browser does. */
export function keepCookies(jar: Map<string, string>, headers: Headers): void {
  for (const set of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
}

/** Waits for the sign-in code that this address was sent. */
export async function codeOf(service: TestService, email: string): Promise<string> {
  let code: string | undefined;
  await until(async () => {
    const [row] = await service.sql<{ sealed: string }>(
      `select details->>'sealed_code' as sealed from portal.codes
       where lower(recipient) = lower($1) order by code_id desc limit 1`,
      [email],
    );
    code = row && service.service.deps.cipher.decrypt(row.sealed);
    return code !== undefined;
  }, `${email} was sent a code`);
  return code as string;
}
