import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetConnections } from '../../../src/capabilities/oauth/forget-connections.ts';
import { connectAgent } from '../../harness/agent.ts';
import { statusAndCode } from '../../harness/agent-grant.ts';
import { linkGift } from '../../harness/api-client.ts';
import {
  agree,
  assistantOf,
  connectAssistant,
  createAssistant,
  openBrowser,
  postForm,
  register,
  visit,
} from '../../harness/assistant.ts';
import { eventsOf } from '../../harness/audit-log.ts';
import type { CookieBrowser } from '../../harness/cookie-browser.ts';
import { hideTable, showTable } from '../../harness/hide-table.ts';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The sign-in of an assistant as it should go (docs/agents.md).

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const codeOf = async (token: string) => (await statusAndCode(service, token))[1];
const grantsOf = async ({ organizationId }: TestOrganization, browser: CookieBrowser) =>
  JSON.parse((await browser.call('GET', `/organizations/${organizationId}/sandbox/grants`)).text).data;

test('an assistant that a member signs in gets a grant like any other', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const before = (await noticesOf(service, organization)).length;
  const limits = { order: 3_000, recipient: null, hour: null, day: 4_000, life: null };
  const browser = await openBrowser(service);
  const { tokens } = await connectAssistant(service, organization, browser, { limits });
  assert.match(tokens.access_token, /^bestow-agent-sandbox-/);
  assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ['Bearer', 1_800, 'read order']);

  const agent = await connectAgent(service.url, tokens.access_token);
  const order = { gifts: [linkGift()] };
  const placed = (await agent.call('place_order', await agent.preview(order))).body;
  assert.equal(placed.status, 'processed');
  assert.match((await agent.call('preview_order', order)).body.refusal.message, /at most \$40\.00 per day/);
  assert.equal((await agent.call('cancel_order', { order_id: placed.order_id })).body.error.code, 'not_granted');

  const [grant] = await grantsOf(organization, browser);
  assert.deepEqual(
    [grant.name, grant.client_name, grant.created_by, grant.limits.day.spent],
    ['Assistant of Ada', 'Claude', 'admin@example.com', 2_500],
  );
  assert.equal(grant.expires_at, '2027-11-21T12:02:00.000Z', 'a year at most');
  assert.deepEqual(grant.hint, `bestow-agent-sandbox-…${tokens.access_token.slice(-4)}`);
  assert.deepEqual(
    (await noticesOf(service, organization)).slice(before).filter(({ kind }) => kind === 'access_changed').length,
    2,
  );
  const path = `/organizations/${organization.organizationId}/sandbox/grants/${grant.grant_id}/token`;
  const copied = await browser.call('POST', path, { overlap_hours: 1 });
  assert.deepEqual([copied.status, /gets its tokens by signing in/.test(copied.text)], [422, true], copied.text);
  const [created] = await eventsOf(service, organization.organizationId, { action: 'grant.created' });
  assert.match(created?.sentence ?? '', /“Assistant of Ada”, which signs in as “Claude”, reading, order/);
});

test('a token works for half an hour, its refresh for 30 days, and each refresh replaces both', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const { assistant, tokens } = await connectAssistant(service, organization, browser);
  await service.clock.jump(30 * MINUTE_MS);
  assert.equal(await codeOf(tokens.access_token), 'api_key_revoked');
  const first = await assistant.refresh(tokens.refresh_token);
  assert.equal(first.status, 200);
  assert.equal(await codeOf(first.body.access_token), undefined);
  await service.clock.jump(29 * DAY_MS);
  const second = await assistant.refresh(first.body.refresh_token);
  assert.deepEqual([second.status, second.body.scope], [200, 'read order']);
  assert.equal(await codeOf(first.body.access_token), 'api_key_invalid');
  await service.clock.jump(31 * DAY_MS);
  assert.equal((await assistant.refresh(second.body.refresh_token)).status, 401);
  // One key for all tokens, so that orders and the log know one agent.
  const [grant] = await grantsOf(organization, await openBrowser(service));
  assert.equal(grant.key_ids.length, 1);
});

test('a grant that ends in any way ends the sign-in', async () => {
  const ends: Record<
    string,
    (organization: TestOrganization, grantId: string, browser: CookieBrowser) => Promise<unknown>
  > = {
    'revoked in the portal': ({ organizationId }, grantId, browser) =>
      browser.call('POST', `/organizations/${organizationId}/sandbox/grants/${grantId}/revoke`, {}),
    'its member left': async (organization) => {
      const { first } = await organization.addMembers();
      await organization.deactivate(first);
    },
    'its end came': () => service.clock.jump(2 * DAY_MS),
  };
  for (const [way, end] of Object.entries(ends)) {
    const organization = await service.organization();
    const expires_at = new Date(service.clock.now() + DAY_MS).toISOString();
    const browser = await openBrowser(service);
    const { assistant, tokens } = await connectAssistant(service, organization, browser, { expires_at });
    const [grant] = await grantsOf(organization, browser);
    await end(organization, grant.grant_id, browser);
    assert.equal(await codeOf(tokens.access_token), 'api_key_revoked', way);
    const { status, body } = await assistant.refresh(tokens.refresh_token);
    assert.deepEqual([status, body.error], [400, 'invalid_grant'], way);
  }
});

test('an assistant that signs out ends its grant; a single token can be ended too', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const { assistant, tokens } = await connectAssistant(service, organization, browser);
  const revoke = (token: string, client_id = assistant.clientId) =>
    postForm(service, '/oauth/revoke', { token, client_id });
  assert.equal((await revoke(tokens.access_token, (await createAssistant(service)).clientId)).status, 200);
  assert.equal(await codeOf(tokens.access_token), undefined);
  assert.equal((await revoke(tokens.access_token)).status, 200);
  assert.equal(await codeOf(tokens.access_token), 'api_key_revoked');
  const next = (await assistant.refresh(tokens.refresh_token)).body;
  assert.equal((await revoke(next.refresh_token)).status, 200);
  assert.equal(await codeOf(next.access_token), 'api_key_revoked');
  assert.deepEqual((await assistant.refresh(next.refresh_token)).body.error, 'invalid_grant');
  const [last] = await eventsOf(service, organization.organizationId, { action: 'grant.revoked' });
  assert.equal(last?.sentence, 'Revoked the grant of the agent “Assistant of Ada”, which signed out');
});

test('a person who declines grants nothing, and the assistant learns it', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const connectionId = await assistant.begin(browser);
  const { status, text } = await browser.call('POST', `/connections/${connectionId}/decline`, {});
  assert.equal(status, 200, text);
  const { location } = await visit(browser, JSON.parse(text).redirect_to);
  assert.deepEqual(Object.fromEntries(location?.searchParams ?? []), {
    error: 'access_denied',
    error_description: 'the person declined',
    iss: service.service.deps.publicUrl(),
    state: 'a state',
  });
  assert.deepEqual(await grantsOf(organization, browser), []);
});

test('the metadata leads from an answer 401 to everything that a sign-in needs', async () => {
  const refused = await fetch(`${service.url}/mcp`, { method: 'POST' });
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  const own = service.service.deps.publicUrl();
  const read = async (url: string) => (await fetch(url.replace(own, service.url))).json();
  const resource = await read(address);
  assert.deepEqual([resource.resource, resource.authorization_servers], [`${own}/mcp`, [own]]);
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const server = await read(`${own}/.well-known/${name}`);
    assert.equal(server.issuer, own);
    assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
    assert.deepEqual(server.scopes_supported, resource.scopes_supported);
    for (const path of ['authorization', 'token', 'registration', 'revocation'])
      assert.ok(server[`${path}_endpoint`].startsWith(`${own}/oauth/`));
  }
});

test('below a path of PUBLIC_URL, every address of the sign-in has it', async () => {
  const own = 'https://gifts.example.com/shop';
  const below = await service.second({ PUBLIC_URL: own });
  const { issuer, token_endpoint } = await (await fetch(`${below.url}/.well-known/oauth-authorization-server`)).json();
  assert.deepEqual([issuer, token_endpoint], [own, `${own}/oauth/token`]);
  const response = await fetch((await createAssistant(below)).addressOf(), { redirect: 'manual' });
  assert.match(response.headers.get('location') ?? '', /^https:\/\/gifts\.example\.com\/shop\/portal\/connect\//);
  const paths = response.headers
    .getSetCookie()
    .flatMap((cookie) => /^bestow_connect_end=.*; path=([^;]+)/.exec(cookie)?.[1] ?? []);
  assert.match(paths.join(), /^\/shop\/oauth\/authorize\/[\w-]+$/);
});

test('an answer in time is repeated: a cut connection costs no sign-in', async () => {
  const organization = await service.organization();
  const { assistant, tokens } = await connectAssistant(service, organization, await openBrowser(service));
  const answers = await Promise.all(Array.from({ length: 10 }, () => assistant.refresh(tokens.refresh_token)));
  for (const { status, body } of answers) {
    assert.equal(status, 200);
    assert.deepEqual(body, answers[0]?.body);
  }
  await service.clock.jump(MINUTE_MS - 1_000);
  assert.deepEqual((await assistant.refresh(tokens.refresh_token)).body, answers[0]?.body);
  assert.equal(await codeOf(answers[0]?.body.access_token), undefined);
});

test('a refresh that a crash or the database ended can be tried again', async () => {
  const organization = await service.organization();
  const { assistant, tokens } = await connectAssistant(service, organization, await openBrowser(service));
  await service.sql(hideTable('api_keys'));
  const failed = await assistant.refresh(tokens.refresh_token);
  await service.sql(showTable('api_keys'));
  assert.deepEqual([failed.status, failed.body.error], [500, 'server_error']);
  // As a process leaves it that was killed.
  await service.sql(
    `insert into portal.oauth_refreshes (token_hash, expires_at) values (sha256(convert_to($1, 'UTF8')), $2)`,
    [tokens.refresh_token, new Date(service.clock.now() + 10_000)],
  );
  await service.clock.jump(11_000);
  const { status, body } = await assistant.refresh(tokens.refresh_token);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await codeOf(body.access_token), undefined);
});

test('an order that waits for an admin is approved also after the token of the assistant has ended', async () => {
  const organization = await service.organization();
  const limits = { order: null, recipient: null, hour: null, day: null, life: null, ask_above: 1_000 };
  const { tokens } = await connectAssistant(service, organization, await openBrowser(service), { limits });
  const agent = await connectAgent(service.url, tokens.access_token);
  const asked = (await agent.call('place_order', await agent.preview({ gifts: [linkGift()] }))).body;
  assert.equal(asked.status, 'waiting_for_approval');
  await service.clock.jump(2 * DAY_MS);
  const path = `/organizations/${organization.organizationId}/sandbox/gift-requests/${asked.order_request_id}/approve`;
  const { status, text } = await (await openBrowser(service)).call('POST', path, {});
  assert.deepEqual([status, JSON.parse(text).state], [200, 'approved'], text);
});

test('a process that does not serve live gives no token of a live grant', async () => {
  const organization = await service.organization();
  const { tokens, assistant } = await connectAssistant(service, organization, await openBrowser(service), {
    environment: 'live',
  });
  const other = await service.second({ SERVE_ENVIRONMENTS: 'sandbox' });
  const { status, body } = await assistantOf(other, assistant.clientId).refresh(tokens.refresh_token);
  assert.deepEqual([status, body.error], [400, 'temporarily_unavailable']);
  assert.equal(await codeOf(tokens.access_token), undefined);
  assert.equal((await assistant.refresh(tokens.refresh_token)).status, 200);
});

test('a program on the person’s own device may use any port', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const { body } = await register(service, { redirect_uris: ['http://127.0.0.1/callback', 'cursor://oauth/done'] });
  const assistant = assistantOf(service, body.client_id);
  for (const redirect_uri of ['http://127.0.0.1:49152/callback', 'cursor://oauth/done']) {
    const code = (await agree(browser, organization, await assistant.begin(browser, { redirect_uri }))).get('code');
    assert.equal((await assistant.exchange(code ?? '', { redirect_uri })).status, 200, redirect_uri);
  }
});

test('what sign-ins leave is deleted', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const { assistant } = await connectAssistant(service, organization, browser);
  const unused = await createAssistant(service);
  await assistant.begin(browser);
  await service.clock.jump(2 * DAY_MS);
  await forgetConnections(service.service.deps);
  const kept = await service.sql<{ kind: string }>('select kind from portal.oauth_records order by kind');
  assert.equal((await visit(browser, unused.addressOf())).status, 400);
  assert.ok(!kept.some(({ kind }) => ['Interaction', 'AuthorizationCode'].includes(kind)), JSON.stringify(kept));
  assert.ok(await assistant.begin(browser));
});
