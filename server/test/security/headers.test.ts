import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { addIssuer } from '../../src/capabilities/issuers/add-issuer.ts';
import { addOperator } from '../../src/capabilities/operators/operators.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import { emailGift, linkGift } from '../harness/api-client.ts';
import { allowRequests, ask, giftTo, requestsPath } from '../harness/gift-requests.ts';
import { OPERATOR } from '../harness/operator.ts';
import { bodies } from '../harness/portal-bodies.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { ruleOf, templateOf } from '../harness/portal-ids.ts';
import { connectRaw, request as rawRequest } from '../harness/raw-http.ts';
import { type ListedRoute, listRoutes } from '../harness/route-list.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

/** Security headers on every Fastify route, for answers and refusals, on plain HTTP and behind HTTPS. */

const HTTPS = 'https://gifts.example.com';

interface Seen {
  /** Who asked. */
  what: string;
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

let service: TestService;
let behindHttps: TestService;
let routes: ListedRoute[];
/** All answers, by service. */
const answers: Record<'http' | 'https', Seen[]> = { http: [], https: [] };

before(async () => {
  service = await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  behindHttps = await service.second({ PUBLIC_URL: HTTPS });
  routes = listRoutes(service.service.app);
  await addOperator(service.service.deps, { email: 'olga@gifts.example', actor: OPERATOR });
  answers.http = await walk(service);
  answers.https = await walk(behindHttps);
});
after(() => service?.close());

/** Paths with an existing id for each parameter, else `x`. */
async function findings(one: TestService) {
  const organization = await one.organization();
  await one.sql(`update members set email = $2 where organization_id = $1`, [
    organization.organizationUuid,
    `${organization.organizationUuid}@example.com`,
  ]);
  const { body } = await organization.sandbox.order([linkGift(), emailGift('bounced')]);
  const { body: canceled } = await organization.sandbox.order([linkGift()]);
  const { body: endpoint } = await organization.sandbox.post('/v1/webhook_endpoints', { url: 'https://shop.example/' });
  const { body: contact } = await organization.sandbox.put('/v1/contacts', bodies['changeContact']);
  const codes = { organizationId: organization.organizationUuid, kind: 'codes', settings: {}, actor: OPERATOR };
  const issuer = await addIssuer(one.service.deps, codes);
  const token = body.gifts[0].delivery.link.split('/g/')[1];
  const { origin } = new URL(one.service.deps.publicUrl());
  const person = await createPortalClient(one, `${organization.organizationUuid}@example.com`, origin);
  await allowRequests(person, organization);
  const at = `/organizations/${organization.organizationId}/sandbox`;
  const made = async (path: string, operation: string) => (await person.call('POST', path, bodies[operation])).body;
  const asked = async () => ({ gift_request_id: await ask(person, requestsPath(organization), giftTo('a@b.com')) });
  const ofEnding: Record<string, Record<string, string>> = {
    cancel: { order_id: canceled.order_id, gift_id: canceled.gifts[0].gift_id },
    decline: await asked(),
    withdraw: await asked(),
  };
  const outbox = await fetch(one.url + one.service.deps.outboxPath);
  const [, reference = 'x'] = /href="[^"]*?([0-9a-f]{32}[ls][0-9a-f]{64})"/.exec(await outbox.text()) ?? [];
  const assets = readdirSync(new URL('../../../portal/dist/assets', import.meta.url));
  const found: Record<string, string> = {
    organization_id: organization.organizationId,
    member_id: organization.memberId,
    environment: 'sandbox',
    order_id: body.order_id,
    gift_id: body.gifts[1].gift_id,
    endpoint_id: endpoint.endpoint_id,
    contact_id: contact.contact_id,
    rule_id: await ruleOf(person, `${at}/yearly-rules`, await templateOf(person, `${at}/gift-templates`)),
    ...(await made(`${at}/keys`, 'createKey')),
    ...(await made(`${at}/grants`, 'createGrant')),
    ...(await made(at.replace('/sandbox', '/roles'), 'createRole')),
    ...(await made(at.replace('/sandbox', '/teams'), 'createTeam')),
    issuer_id: encodeId('iss', issuer.issuer_id),
    month: '2026-11',
    number: '1',
    token,
    address: one.service.deps.outboxPath.replace('/outbox/', ''),
    reference,
    ...(await asked()),
    category_id: 'coffee',
    file: 'coffee.svg',
    name: assets.find((name) => name.endsWith('.js')) ?? 'x',
  };
  return {
    organization,
    person,
    fill: (path: string) => {
      const ids = { ...found, ...ofEnding[path.split('/').at(-1) ?? ''] };
      return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'x').replace('*', 'any');
    },
  };
}

/** A valid body of the portal's routes, else an empty object. */
function bodyOf({ service: { app } }: TestService, { method, path }: ListedRoute): string {
  const pathOf = (described: string) => `/portal/api${described.replace(/\{(\w+)\}/g, ':$1')}`;
  const route = app.portalRoutes.find((one) => one.method === method && pathOf(one.path) === path);
  return JSON.stringify(bodies[route?.operationId ?? ''] ?? {});
}

/** Calls every route anonymously and as an authorized caller. */
async function walk(one: TestService): Promise<Seen[]> {
  const { organization, person, fill } = await findings(one);
  const origin = new URL(one.service.deps.publicUrl()).origin;
  const seen: Seen[] = [];
  // Reads first, then changes; then what empties the sandbox, and what ends the session last.
  const rank = ({ method, path }: ListedRoute) => {
    if (path.includes('sign-out')) return 3;
    if (/\/sandbox(?:\/reset)?$/.test(path) || (method === 'DELETE' && /webhook|contact/.test(path))) return 2;
    // Before a cap refuses it.
    if (path.endsWith('/approve')) return 0;
    return method === 'GET' || method === 'HEAD' ? 0 : 1;
  };
  for (const route of [...routes].sort((a, b) => rank(a) - rank(b)))
    for (const isKnown of one === service ? [true, false] : [true]) {
      if (one !== service && route.method === 'HEAD') continue;
      const headers: Record<string, string> = { origin };
      if (isKnown)
        Object.assign(headers, { authorization: `Bearer ${organization.keys.sandbox}`, cookie: person.cookie() });
      const unknown = route.path.replace(/:\w+/g, 'x');
      for (const path of new Set(one === service ? [fill(route.path), unknown] : [fill(route.path)])) {
        const response = await fetch(one.url + path, {
          method: route.method,
          headers,
          redirect: 'manual',
          ...(['GET', 'HEAD'].includes(route.method) ? {} : { body: bodyOf(one, route) }),
        });
        const what = `${route.method} ${path.slice(0, 80)} as ${isKnown ? 'a known caller' : 'an anonymous caller'}: ${response.status}`;
        const { status, headers: answered } = response;
        seen.push({ what, path: route.path, status, headers: answered, body: await response.text() });
      }
    }
  return seen;
}
const everywhere = () => [...answers.http, ...answers.https];
const isHtml = ({ headers }: Seen) => headers.get('content-type')?.startsWith('text/html') ?? false;
const policyOf = ({ headers }: Seen): Map<string, string> =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

/** Mails hold inline styles for mail programs. The outbox page frames them in a sandbox. */
const MAILS = [
  '/outbox/:address/:reference/html',
  '/portal/api/organizations/:organization_id/:environment/gifts/:gift_id/messages/:number/letter',
];

test('every route was called, and most both answered and refused', () => {
  assert.ok(routes.length > 100, `${routes.length} routes`);
  const answered = new Set(answers.http.filter(({ status }) => status < 400).map(({ path }) => path));
  const paths = new Set(routes.map(({ path }) => path));
  const never = [...paths].filter((path) => !answered.has(path) && !path.startsWith('/operator/api/'));
  // Calls that need a specific body, a protocol, the sign-in of an assistant, Stripe, an invitation, a request, a rule, a delivery or a picture, and provider hooks with signatures.
  assert.ok(never.length < 67, never.join(', '));
  const pages = ['/g/:token', '/portal', '/outbox/:address/:reference', '/artwork/:file', '/portal/assets/:name'];
  for (const path of [...MAILS, ...pages]) assert.ok(answered.has(path), path);
});

test('every answer has nosniff, no-referrer and a policy, and names no software', () => {
  for (const one of everywhere()) {
    const { what, headers } = one;
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', what);
    assert.equal(policyOf(one).get('default-src'), "'none'", what);
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'access-control-allow-credentials'])
      assert.equal(headers.get(name), null, `${what}: ${name}`);
    assert.match(headers.get('request-id') ?? '', /^req_/, what);
  }
});

test('no policy allows inline or foreign scripts; inline styles only in mails', () => {
  for (const one of everywhere()) {
    const policy = policyOf(one);
    assert.match(policy.get('script-src') ?? "'none'", /^'(?:none|self)'$/, one.what);
    assert.ok(!policy.has('script-src-elem') && !policy.has('script-src-attr'), one.what);
    const style = policy.get('style-src') ?? "'none'";
    if (style.includes("'unsafe-inline'")) assert.ok(MAILS.includes(one.path), `${one.what}: ${style}`);
    else assert.match(style, /^'(?:none|self)'(?: 'nonce-[\w+/]{22}==')?$/, one.what);
    if (!isHtml(one)) continue;
    assert.equal(policy.get('base-uri'), "'none'", one.what);
    assert.match(policy.get('form-action') ?? 'missing', /^'(?:none|self)'$/, one.what);
  }
});

test('only a mail can be framed, by the outbox page, in a sandbox', () => {
  for (const one of everywhere()) {
    const policy = policyOf(one);
    const isMail = MAILS.includes(one.path) && one.status === 200;
    assert.equal(policy.get('frame-ancestors'), isMail ? "'self'" : "'none'", one.what);
    // Without scripts; the page around reads only how high the mail is.
    if (isMail) assert.equal(policy.get('sandbox'), 'allow-same-origin', one.what);
  }
});

test('no page holds an inline script, style or handler, but mails have styles', () => {
  const pages = everywhere().filter((one) => isHtml(one) && one.body !== '');
  assert.ok(pages.length > 60, `${pages.length} pages`);
  for (const { what, path, body } of pages) {
    assert.doesNotMatch(body, /<script(?![^>]*\ssrc=)[^>]*>/i, what);
    assert.doesNotMatch(body, /<[a-z][^>]*\son[a-z]+\s*=/i, what);
    assert.doesNotMatch(body, /(?:href|src|action)\s*=\s*["']?\s*javascript:/i, what);
    if (!MAILS.includes(path)) assert.doesNotMatch(body, /<style|<[a-z][^>]*\sstyle\s*=/i, what);
  }
});

/** Pages and files that are the same for all readers. */
const SHARED =
  /^\/(?:$|v1\/openapi\.json$|catalog|docs|assets\/|artwork\/|favicon|touch-icon\.png$|llms|sdk\.tgz|sdk\/bestow\.postman_collection\.json$|portal\/assets\/|\.well-known\/)/;

test('only public answers that are the same for all may be cached', () => {
  let kept = 0;
  for (const { what, path, status, headers } of everywhere()) {
    const cacheControl = headers.get('cache-control') ?? '';
    if (cacheControl === 'no-store') continue;
    kept += 1;
    assert.match(cacheControl, /^public, max-age=\d+(?:, immutable)?$/, what);
    assert.ok(SHARED.test(path) && status < 400, what);
  }
  assert.ok(kept > 10, `${kept} answers may be kept`);
});

test('HSTS for a year behind HTTPS, and no HSTS on plain HTTP', () => {
  for (const { what, headers } of answers.https)
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', what);
  for (const { what, headers } of answers.http) assert.equal(headers.get('strict-transport-security'), null, what);
});

test('only sign-in and gifts set cookies: HttpOnly, Lax, behind HTTPS Secure __Host-', () => {
  const set = (name: 'http' | 'https') =>
    answers[name].flatMap(({ path, headers }) => headers.getSetCookie().map((cookie) => ({ path, cookie })));
  for (const { path, cookie } of [...set('http'), ...set('https')]) {
    const isOperators = path === '/operator/api/session';
    if (!isOperators) assert.match(path, /^\/(?:portal\/api\/auth\/|g\/:token\/(?:open|claim|reveal|prove)$)/, cookie);
    assert.match(cookie, /; HttpOnly/, cookie);
    assert.match(cookie, isOperators ? /; SameSite=Strict/ : /; SameSite=Lax/, cookie);
    assert.match(cookie, /; Path=\//, cookie);
    assert.doesNotMatch(cookie, /; Domain=/i, cookie);
  }
  assert.ok(set('https').length > 0);
  for (const { cookie } of set('https')) assert.match(cookie, /^__Host-bestow\.[^;]*;.*; Secure/, cookie);
});

test('every text answer names its character set', () => {
  for (const { what, headers, body } of everywhere()) {
    const type = headers.get('content-type') ?? '';
    if (body === '') continue;
    if (/^(?:text\/|application\/json)/.test(type))
      assert.match(type, /^[a-z]+\/[a-z.+-]+; charset=utf-8(?:;|$)/, what);
    else assert.match(type, /^(?:image\/(?:svg\+xml|png|jpeg)|application\/(?:pdf|gzip))$/, `${what}: ${type}`);
  }
});

test('malformed requests get the same headers', async () => {
  for (const [one, hsts] of [
    [service, null],
    [behindHttps, 'max-age=31536000'],
  ] as const)
    for (const bytes of [
      'GET / HTTP/9.9\r\n\r\n',
      'GIFT / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      rawRequest('GET /%'),
      rawRequest('GET /nothing'),
      rawRequest('DELETE /v1/health'),
      rawRequest('CONNECT example.com:443'),
      rawRequest('GET /v1/health', ['Expect: foo']),
      rawRequest('GET /v1/health', [`X: ${'x'.repeat(17_000)}`]),
      rawRequest('POST /v1/orders', ['Content-Length: 1, 2']),
      rawRequest('POST /hooks/sms/twilio', ['Content-Length: 2000000']),
      rawRequest('POST /portal/api/auth/sign-in/email-otp', ['Content-Length: 2000000', `Origin: ${service.url}`]),
    ]) {
      using connection = await connectRaw(one.url);
      await connection.write(bytes);
      const { headers, status } = await connection.answer();
      const what = `${bytes.slice(0, 60)}: ${status}`;
      assert.ok(status >= 400, what);
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", what);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', what);
      assert.equal(headers.get('cache-control'), 'no-store', what);
      assert.equal(headers.get('strict-transport-security'), hsts, what);
    }
});
