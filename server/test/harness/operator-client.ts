import assert from 'node:assert/strict';
import { addOperator } from '../../src/capabilities/operators/operators.ts';
import { enableApp, enterMailedCode } from './cookie-browser.ts';
import { OPERATOR } from './operator.ts';
import { keepCookies, type PortalAnswer } from './portal-client.ts';
import type { TestService } from './test-service.ts';

export const OPERATOR_EMAIL = 'olga@gifts.example';

/** Calls `/operator/api` as the operator's page does. */
export interface OperatorClient {
  call(method: string, path: string, body?: unknown): Promise<PortalAnswer>;
  /** Proves the second factor again and begins another session. */
  signInAgain(): Promise<PortalAnswer>;
  /** What the authenticator app shows now. */
  shown(): string;
  /** The cookies of the person, also the portal's. */
  cookies: Map<string, string>;
}

/** Names an operator, who signs in to the portal with an authenticator app and begins a session. */
export async function createOperatorClient(service: TestService, email = OPERATOR_EMAIL): Promise<OperatorClient> {
  await addOperator(service.service.deps, { email, actor: OPERATOR });
  const { browser } = await enterMailedCode(service, email);
  const { prove, shown } = await enableApp(service, browser);
  assert.equal((await prove()).status, 200);
  const client: OperatorClient = {
    cookies: browser.cookies,
    shown,
    call: (method, path, body) => callOperator(service.url, browser.cookies, method, path, body),
    async signInAgain() {
      // A code of the app works once.
      await service.clock.jump(60_000);
      const { status, text } = await browser.call('POST', '/auth/two-factor/verify-totp', { code: shown() });
      assert.equal(status, 200, text);
      return client.call('POST', '/session');
    },
  };
  // The code that sets the app up proves nothing yet.
  const begun = await client.signInAgain();
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  return client;
}

/** Calls `/operator/api` with these cookies. */
export async function callOperator(
  url: string,
  cookies: Map<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<PortalAnswer> {
  const response = await fetch(`${url}/operator/api${path}`, {
    method,
    headers: {
      origin: url,
      'content-type': 'application/json',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  keepCookies(cookies, response.headers);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
