import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { encodeId } from '../../server/src/platform/base/ids.ts';
import { authCalls } from '../../server/src/surfaces/portal/sign-in/routes.ts';
import { emailGift, linkGift } from '../../server/test/harness/api-client.ts';
import { everythingOf } from '../../server/test/harness/everything-of.ts';
import { until } from '../../server/test/harness/server-process.ts';
import { ADMIN, type PortalService, startPortal } from './harness/portal.ts';

/**
 * Two hostile pages send forms and requests to every changing route from a signed-in browser. One is on another site; one is
 * on another port of the same site, so that the browser sends the session cookie.
 */

let portal: PortalService;
let evil: Server;
let evilPort: number;
/** The link of an unopened gift. */
let link: string;
let giftId: string;
/** Cookies of the latest POST by path, because the browser does not always report what it sent. */
const cookiesSent = new Map<string, string>();

before(async () => {
  portal = await startPortal();
  portal.service.service.app.server.on('request', ({ method, url = '', headers }) => {
    if (method === 'POST') cookiesSent.set(url, headers.cookie ?? '');
  });
  const { body } = await portal.organization.sandbox.order([linkGift(), emailGift('bounced')]);
  link = new URL(body.gifts[0].delivery.link).pathname;
  giftId = body.gifts[1].gift_id;
  evil = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page of somebody else</title>');
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  evilPort = (evil.address() as AddressInfo).port;
});
after(async () => {
  await portal?.close();
  await new Promise((resolve) => evil.close(resolve));
});

/** A valid body by operation. A form can send JSON as plain text. */
const bodies: Record<string, object> = {
  addTestFunds: { amount: 100 },
  createKey: { name: 'evil' },
  inviteMember: { email: 'evil@example.com', role: 'admin' },
  sendGifts: {
    form_id: '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11',
    gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' }, personalization: { message: 'Hello' } }],
  },
  simulateGift: { simulation: 'claim' },
};

interface Target {
  method: string;
  path: string;
  body: object;
}

async function targets(): Promise<Target[]> {
  const { organizationId, organizationUuid } = portal.organization;
  const member = async (role: string) =>
    (
      await portal.service.sql<{ id: string }>(
        `select member_id as id from members where organization_id = $1 and role = $2::member_role limit 1`,
        [organizationUuid, role],
      )
    )[0]?.id ?? '';
  const [key] = await portal.service.sql<{ id: string }>(
    `select key_id as id from api_keys where organization_id = $1 and environment = 'sandbox'`,
    [organizationUuid],
  );
  const found: Record<string, string> = {
    organization_id: organizationId,
    environment: 'sandbox',
    gift_id: giftId,
    key_id: encodeId('key', key?.id ?? ''),
    member_id: encodeId('mem', await member('member')),
  };
  const ofPortal = portal.service.service.app.portalRoutes
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, operationId }) => ({
      method,
      path: `/portal/api${path.replace(/\{(\w+)\}/g, (_, name: string) => found[name] ?? 'x')}`,
      body: bodies[operationId] ?? {},
    }));
  const ofSignIn = authCalls
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => ({ method: 'POST', path: `/portal/api/auth${path}`, body: { email: ADMIN, type: 'sign-in' } }));
  const ofRecipient = ['open', 'claim', 'reveal', 'code', 'prove', 'pin', 'purchase', 'renew'].map((act) => ({
    method: 'POST',
    path: `${link}/${act}`,
    body: {},
  }));
  return [...ofPortal, ...ofSignIn, ...ofRecipient];
}

interface Answer {
  status: number;
  hasCookie: boolean;
}

/**
 * Sends JSON as a plain-text form, which needs no CORS permission.
 *
 * @param into the whole window or a frame
 */
async function submit(page: Page, { path, body }: Target, into: '_top' | '_frame'): Promise<Answer> {
  const url = portal.service.url + path;
  const answered = page.waitForResponse((one) => one.url() === url && one.request().method() === 'POST');
  // The form sends `name=value`, so the two halves make one JSON text.
  const name = JSON.stringify({ ...body, x: '' }).slice(0, -2);
  await page.evaluate(`(() => {
    const frame = document.createElement('iframe');
    frame.name = ${JSON.stringify(path)};
    const form = document.createElement('form');
    const target = ${JSON.stringify(into)} === '_top' ? '_top' : frame.name;
    Object.assign(form, { method: 'post', action: ${JSON.stringify(url)}, enctype: 'text/plain', target });
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: ${JSON.stringify(name)}, value: '"}' });
    form.append(field);
    document.body.append(frame, form);
    form.submit();
  })()`);
  const response = await answered;
  if (into === '_top') await page.waitForURL(url);
  return { status: response.status(), hasCookie: cookiesSent.get(path)?.includes('session_token') ?? false };
}

/** All rows that a hostile page could change. */
async function everything() {
  const sessions = await portal.service.sql('select id, user_id from portal.sessions order by id');
  const users = await portal.service.sql('select id, email, two_factor_enabled from portal.users order by id');
  return { ...(await everythingOf(portal.service, portal.organization)), sessions, users };
}

for (const [whose, hostname, carriesCookie] of [
  ['another site', 'localhost', false],
  ['the same site on another port', '127.0.0.1', true],
] as const)
  test(`forms of ${whose} are refused on every route and change nothing`, async () => {
    await using visit = await portal.visit();
    const { page } = visit;
    const from = `http://${hostname}:${evilPort}/`;
    // A form can only POST.
    const all = (await targets()).filter(({ method }) => method === 'POST');
    assert.ok(all.length > 20, `${all.length} targets`);
    const before = await everything();
    const check = (target: Target, { status, hasCookie }: Answer) => {
      assert.equal(status, 403, `${target.path}: ${status}`);
      if (target.path.startsWith('/portal/')) assert.equal(hasCookie, carriesCookie, target.path);
    };
    await page.goto(from);
    await Promise.all(all.map(async (target) => check(target, await submit(page, target, '_frame'))));
    for (const target of all.filter(({ path }) => /\/(?:keys|sign-out|claim)$/.test(path))) {
      await page.goto(from);
      check(target, await submit(page, target, '_top'));
    }
    assert.deepEqual(await everything(), before);
  });

test('scripts of other sites cannot send more than forms can', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  const before = await everything();
  const statuses: Record<string, number> = {};
  page.on('response', (response) => {
    if (response.url().startsWith(portal.service.url))
      statuses[`${response.request().method()} ${response.url()}`] = response.status();
  });
  for (const hostname of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${hostname}:${evilPort}/`);
    const calls = (await targets()).map(({ method, path, body }) => [
      method,
      portal.service.url + path,
      JSON.stringify(body),
    ]);
    const read = await page.evaluate(
      `Promise.all(${JSON.stringify(calls)}.flatMap(([method, url, body]) => [
        // A simple request with an unreadable answer, and a request that needs a CORS preflight.
        fetch(url, { method: method === 'POST' ? method : 'POST', body, mode: 'no-cors', credentials: 'include' }),
        fetch(url, { method, body, headers: { 'content-type': 'application/json' }, credentials: 'include' }),
      ]).map((call) => call.then(({ type, status }) => type + status, () => 'not sent')))`,
    );
    const kinds = new Set(read as string[]);
    assert.deepEqual([...kinds].sort(), ['not sent', 'opaque0'], hostname);
  }
  assert.deepEqual(await everything(), before);
  assert.ok(Object.keys(statuses).length > 20, `${Object.keys(statuses).length} answers`);
  for (const [what, status] of Object.entries(statuses))
    assert.ok(status === 403 || status === 404, `${what}: ${status}`);
});

test('another site can neither frame nor read a signed-in page', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  await page.goto(`http://127.0.0.1:${evilPort}/`);
  for (const path of ['/portal', link, '/docs', '/portal/api/me', portal.service.service.deps.outboxPath, '/catalog']) {
    const url = portal.service.url + path;
    const shown = await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(url)};
      frame.onload = () => resolve(true);
      document.body.append(frame);
    })`);
    assert.equal(shown, true);
    // Chromium shows its own error page in a blocked frame.
    await until(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:')), `${path} is not framed`);
    const read = await page.evaluate(
      `fetch(${JSON.stringify(url)}, { credentials: 'include' }).then((r) => r.text(), () => 'unreadable')`,
    );
    assert.equal(read, 'unreadable', path);
    await page.evaluate(`document.querySelector('iframe').remove()`);
  }
});

test('the same requests from our own pages do change something', async () => {
  await using visit = await portal.visit();
  const { page } = visit;
  const before = await everything();
  await page.goto(portal.service.url + portal.at('/keys'));
  const path = `/portal/api/organizations/${portal.organization.organizationId}/sandbox/keys`;
  const status = await page.evaluate(
    `fetch(${JSON.stringify(path)}, { method: 'POST', body: '{"name":"own"}', headers: { 'content-type': 'application/json' } }).then((r) => r.status)`,
  );
  assert.equal(status, 200);
  await page.goto(portal.service.url + link);
  await page.getByRole('button').first().click();
  await page.waitForURL(/#/);
  const now = await everything();
  for (const table of ['api_keys', 'gifts'] as const)
    assert.notDeepEqual((now as Record<string, unknown>)[table], (before as Record<string, unknown>)[table], table);
});
