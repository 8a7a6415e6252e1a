import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type CookieBrowser, enterMailedCode } from './cookie-browser.ts';
import { keepCookies } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** What an assistant asks for when it begins to sign in; `undefined` leaves a parameter out. */
export type Asked = Record<string, string | undefined>;

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  token_type: string;
}

// biome-ignore lint/suspicious/noExplicitAny: any answer of the protocol
type Answer = { status: number; body: any };

export const REDIRECT = 'https://assistant.example/callback';

/** A body of the person who agrees: by default an agent that reads and orders what it ordered itself. */
export const terms = (changes: object = {}) => ({
  name: 'Assistant of Ada',
  permissions: ['order'],
  reach: 'own',
  recipient_domains: null,
  members_only: false,
  categories: null,
  limits: { order: null, recipient: null, hour: null, day: null, life: null },
  ...changes,
});

/** Signs a person in to the portal, in a browser of their own. */
export const openBrowser = async (service: TestService, email = 'admin@example.com'): Promise<CookieBrowser> =>
  (await enterMailedCode(service, email)).browser;

/** Posts a form, as programs do. */
export async function postForm(service: TestService, path: string, fields: Asked): Promise<Answer> {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(service.url + path, { method: 'POST', body: new URLSearchParams(given) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

export async function register(service: TestService, body: object = {}): Promise<Answer> {
  const response = await fetch(`${service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Claude', redirect_uris: [REDIRECT], ...body }),
  });
  return { status: response.status, body: await response.json() };
}

/** Opens an address in the browser without following where it leads. */
export async function visit({ cookies }: CookieBrowser, address: string) {
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  keepCookies(cookies, response.headers);
  const location = response.headers.get('location');
  return {
    status: response.status,
    location: location === null ? undefined : new URL(location),
    text: await response.text(),
  };
}

/** An assistant that has registered, with a fresh secret for PKCE. */
export async function createAssistant(service: TestService, metadata: object = {}) {
  const { status, body } = await register(service, metadata);
  assert.equal(status, 201, JSON.stringify(body));
  return assistantOf(service, body.client_id);
}

/** An assistant with this id. */
export function assistantOf(service: TestService, clientId: string) {
  const verifier = randomBytes(32).toString('base64url');
  const asked: Asked = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${service.service.deps.publicUrl()}/mcp`,
  };
  const addressOf = (changes: Asked = {}) => {
    const given = Object.entries({ ...asked, ...changes }).filter((entry): entry is [string, string] => !!entry[1]);
    return `${service.url}/oauth/authorize?${new URLSearchParams(given)}`;
  };
  return {
    clientId,
    addressOf,
    /** Opens the sign-in; returns the id in the address of the page that asks. */
    async begin(browser: CookieBrowser, changes: Asked = {}): Promise<string> {
      const { status, location, text } = await visit(browser, addressOf(changes));
      assert.equal(status, 303, text);
      const [, id = ''] = /^\/portal\/connect\/([\w-]+)$/.exec(location?.pathname ?? '') ?? [];
      assert.notEqual(id, '', String(location));
      return id;
    },
    /** Exchanges a code. */
    exchange: (code: string, changes: Asked = {}) =>
      postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT,
        client_id: clientId,
        code_verifier: verifier,
        resource: asked['resource'],
        ...changes,
      }),
    refresh: (token: string, changes: Asked = {}) =>
      postForm(service, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: clientId,
        ...changes,
      }),
  };
}

export type Assistant = ReturnType<typeof assistantOf>;

/** The person agrees; returns the parameters that the assistant gets. */
export async function agree(
  browser: CookieBrowser,
  { organizationId }: TestOrganization,
  connectionId: string,
  { environment = 'sandbox', ...changes }: { environment?: string } & Record<string, unknown> = {},
): Promise<URLSearchParams> {
  const path = `/organizations/${organizationId}/${environment}/connections/${connectionId}`;
  const { status, text } = await browser.call('POST', path, terms(changes));
  assert.equal(status, 200, text);
  const { location } = await visit(browser, JSON.parse(text).redirect_to);
  assert.ok(location);
  return location.searchParams;
}

/** Runs the whole sign-in of an assistant. */
export async function connectAssistant(
  service: TestService,
  organization: TestOrganization,
  browser: CookieBrowser,
  wish: { environment?: string } & Record<string, unknown> = {},
): Promise<{ assistant: Assistant; code: string; tokens: Tokens }> {
  const assistant = await createAssistant(service);
  const parameters = await agree(browser, organization, await assistant.begin(browser), wish);
  const code = parameters.get('code') ?? '';
  const { status, body } = await assistant.exchange(code);
  assert.equal(status, 200, JSON.stringify(body));
  return { assistant, code, tokens: body };
}
