import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusAndCode } from '../../harness/agent-grant.ts';
import {
  type Asked,
  agree,
  connectAssistant,
  createAssistant,
  openBrowser,
  REDIRECT,
  register,
  terms,
  visit,
} from '../../harness/assistant.ts';
import { eventsOf } from '../../harness/audit-log.ts';
import { openCookieBrowser } from '../../harness/cookie-browser.ts';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Attacks on the sign-in of an assistant.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));

const codeOf = async (token: string) => (await statusAndCode(service, token))[1];
const grantCount = async ({ organizationUuid }: TestOrganization) =>
  (await service.sql('select from agent_grants where organization_id = $1', [organizationUuid])).length;

test('a code that comes twice ends the grant', async () => {
  const organization = await service.organization();
  const { assistant, code, tokens } = await connectAssistant(service, organization, await openBrowser(service));
  const { status, body } = await assistant.exchange(code);
  assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  assert.equal(await codeOf(tokens.access_token), 'api_key_revoked');
  assert.equal((await assistant.refresh(tokens.refresh_token)).body.error, 'invalid_grant');
  const [last] = await eventsOf(service, organization.organizationId, { action: 'grant.revoked' });
  assert.equal(last?.sentence, 'Revoked the grant of the agent “Assistant of Ada”, whose sign-in was used twice');
});

test('of many exchanges of one code at once, at most one gets tokens, and they do not last', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const code = (await agree(browser, organization, await assistant.begin(browser))).get('code') ?? '';
  const answers = await Promise.all(Array.from({ length: 10 }, () => assistant.exchange(code)));
  const given = answers.filter(({ status }) => status === 200);
  assert.ok(given.length <= 1);
  for (const { body } of given) assert.equal(await codeOf(body.access_token), 'api_key_revoked');
});

test('a refresh token that comes again after a minute ends the grant, and admins learn it', async () => {
  const organization = await service.organization();
  const { assistant, tokens } = await connectAssistant(service, organization, await openBrowser(service));
  const next = (await assistant.refresh(tokens.refresh_token)).body;
  await service.clock.jump(61_000);
  assert.equal((await assistant.refresh(tokens.refresh_token)).body.error, 'invalid_grant');
  assert.equal(await codeOf(next.access_token), 'api_key_revoked');
  assert.equal((await assistant.refresh(next.refresh_token)).body.error, 'invalid_grant');
  const mails = await service.sql<{ change: string }>(
    `select details->>'change' as change from notices where organization_id = $1 and kind = 'access_changed'`,
    [organization.organizationUuid],
  );
  assert.ok(mails.some(({ change }) => change === 'grant_used_twice'));
  assert.ok((await noticesOf(service, organization)).length > 0);
});

test('a code is for one program, one address, one proof and one service', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const other = await createAssistant(service);
  const wrong: Record<string, Asked> = {
    invalid_grant: { code_verifier: 'v'.repeat(43) },
    'another program': { client_id: other.clientId },
    'another address': { redirect_uri: `${REDIRECT}/other` },
    'another service': { resource: 'https://other.example/mcp' },
    'no proof': { code_verifier: undefined },
  };
  for (const [what, changes] of Object.entries(wrong)) {
    const code = (await agree(browser, organization, await assistant.begin(browser))).get('code') ?? '';
    const { status, body } = await assistant.exchange(code, changes);
    assert.equal(status, 400, what);
    assert.match(body.error, /^invalid_(grant|target|request)$/, what);
  }
  const code = (await agree(browser, organization, await assistant.begin(browser))).get('code') ?? '';
  await service.clock.jump(61_000);
  assert.equal((await assistant.exchange(code)).body.error, 'invalid_grant');
  const { tokens } = await connectAssistant(service, organization, browser);
  assert.equal((await other.refresh(tokens.refresh_token)).body.error, 'invalid_grant');
});

test('a sign-in without proof, for another service or to a foreign address goes nowhere', async () => {
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  for (const [changes, error] of [
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
  ] as const) {
    const { status, location } = await visit(browser, assistant.addressOf(changes));
    assert.deepEqual([status, location?.origin], [303, new URL(REDIRECT).origin], JSON.stringify(changes));
    const given = new URLSearchParams(location?.search || location?.hash.slice(1));
    assert.deepEqual(
      [given.get('error'), given.get('state'), given.get('iss')],
      [error, 'a state', service.service.deps.publicUrl()],
    );
  }
  for (const redirect_uri of [
    'https://evil.example/callback',
    `${REDIRECT}.evil.example`,
    `${REDIRECT}?next=https://evil.example`,
    `${REDIRECT}/../other`,
    'https://assistant.example.evil.example/callback',
    'javascript:alert(1)',
    '//assistant.example/callback',
  ]) {
    const { status, location, text } = await visit(browser, assistant.addressOf({ redirect_uri }));
    assert.deepEqual([status, location], [400, undefined], redirect_uri);
    assert.match(text, /The assistant could not be connected/);
    assert.ok(!text.includes('evil.example'));
  }
  assert.equal((await visit(browser, assistant.addressOf({ client_id: 'unknown' }))).status, 400);
  assert.equal((await visit(browser, assistant.addressOf({ state: '\u0000' }))).status, 400);
  const twice = await visit(browser, `${assistant.addressOf()}&redirect_uri=https://evil.example`);
  assert.notEqual(twice.location?.hostname, 'evil.example');
  assert.notEqual(twice.location?.searchParams.get('error'), null);
});

test('only the browser in which the sign-in began can agree, once, from the portal’s own page', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const connectionId = await assistant.begin(browser);
  const path = `/organizations/${organization.organizationId}/sandbox/connections/${connectionId}`;

  // A stranger’s link in the admin’s own browser, and a browser without the person.
  const stranger = openCookieBrowser(service.url);
  const strangersId = await assistant.begin(stranger);
  const inAdmins = path.replace(connectionId, strangersId);
  assert.equal((await browser.call('POST', inAdmins, terms())).status, 404);
  assert.equal((await stranger.call('POST', inAdmins, terms())).status, 401);
  assert.equal((await browser.call('GET', `/connections/${strangersId}`)).status, 404);

  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const response = await fetch(`${service.url}/portal/api${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(terms()),
    });
    assert.equal(response.status, 403);
  }
  assert.equal(await grantCount(organization), 0);
  await service.clock.jump(11 * 60_000);
  assert.equal((await browser.call('POST', path, terms())).status, 403, 'an old sign-in is not enough');

  const fresh = await openBrowser(service);
  const id = await assistant.begin(fresh);
  await agree(fresh, organization, id);
  for (const again of [terms(), terms({ permissions: [] })])
    assert.equal((await fresh.call('POST', path.replace(connectionId, id), again)).status, 404);
  assert.equal(await grantCount(organization), 1);
});

test('the cookies of a sign-in are HttpOnly and Lax, and behind HTTPS Secure', async () => {
  const behindHttps = await service.second({ PUBLIC_URL: 'https://gifts.example.com' });
  for (const [one, isSecure] of [
    [service, false],
    [behindHttps, true],
  ] as const) {
    const response = await fetch((await createAssistant(one)).addressOf(), { redirect: 'manual' });
    const cookies = response.headers.getSetCookie();
    assert.ok(cookies.length > 1);
    for (const cookie of cookies) {
      assert.match(cookie, /; samesite=lax; .*httponly/i);
      assert.equal(/; secure/i.test(cookie), isSecure, cookie);
    }
    assert.match(
      response.headers.get('location') ?? '',
      isSecure ? /^https:\/\/gifts\.example\.com\/portal/ : /^http:/,
    );
  }
});

test('of many answers to one sign-in at once, one counts', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const id = await assistant.begin(browser);
  const path = `/organizations/${organization.organizationId}/sandbox/connections/${id}`;
  const decline = () => browser.call('POST', `/connections/${id}/decline`, {});
  const agreeing = Array.from({ length: 5 }, () => browser.call('POST', path, terms()));
  const answers = await Promise.all([...agreeing, decline(), decline()]);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const hasAgreed = answers.slice(0, 5).some(({ status }) => status === 200);
  assert.equal(await grantCount(organization), hasAgreed ? 1 : 0);
});

test('each sign-in asks the person again, and never gives more than was asked for', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const parameters = await agree(browser, organization, await assistant.begin(browser, { scope: 'read order' }));
  const code = parameters.get('code') ?? '';
  // The same program in the same browser.
  const id = await assistant.begin(browser, { scope: 'read order' });
  const path = `/organizations/${organization.organizationId}/sandbox/connections/${id}`;
  const more = await browser.call('POST', path, terms({ permissions: ['order', 'manage'] }));
  assert.deepEqual([more.status, JSON.parse(more.text).error.param], [422, 'permissions']);
  assert.equal(await grantCount(organization), 1);

  const { body } = await assistant.exchange(code, { scope: 'read order links manage events' });
  assert.equal(body.scope, 'read order');
  const refreshed = await assistant.refresh(body.refresh_token, { scope: 'read order links manage events' });
  assert.equal(refreshed.body.scope, 'read order');
});

test('no one agrees for an organization of others, and a member who is no admin cannot', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const assistant = await createAssistant(service);
  const member = await openBrowser(service, 'member@example.com');
  const path = `/organizations/${organization.organizationId}/sandbox/connections/`;
  assert.equal((await member.call('POST', path + (await assistant.begin(member)), terms())).status, 403);
  await service.sql(`update members set email = 'stranger@example.com' where email = 'second@example.com'`);
  const stranger = await openBrowser(service, 'stranger@example.com');
  const other = await service.organization();
  const foreign = path.replace(organization.organizationId, other.organizationId);
  assert.equal((await stranger.call('POST', foreign + (await assistant.begin(stranger)), terms())).status, 404);
  assert.equal((await grantCount(organization)) + (await grantCount(other)), 0);
});

test('a program’s name cannot hide where the answer goes', async () => {
  const browser = await openBrowser(service);
  const ask = async (metadata: object, redirect_uri: string) => {
    const assistant = await createAssistant(service, { ...metadata, redirect_uris: [redirect_uri] });
    const { text } = await browser.call('GET', `/connections/${await assistant.begin(browser, { redirect_uri })}`);
    return JSON.parse(text).client;
  };
  assert.deepEqual(await ask({ client_name: 'Bestow\u202e\n\u200b Support' }, 'https://evil.example/done'), {
    name: 'Bestow Support',
    site: null,
    goes_to: 'evil.example',
  });
  assert.deepEqual(await ask({ client_name: '\u0000\u200b' }, 'http://localhost/done'), {
    name: 'A program without a name',
    site: null,
    goes_to: null,
  });
  const { name } = await ask({ client_name: 'x'.repeat(5_000) }, REDIRECT);
  assert.equal(name.length, 100);
});

test('a registration takes a name and addresses only, and few of them', async () => {
  const { status, body } = await register(service, {
    token_endpoint_auth_method: 'client_secret_post',
    jwks_uri: 'http://127.0.0.1/keys',
    scope: 'openid',
    sector_identifier_uri: 'http://127.0.0.1/',
    grant_types: ['client_credentials'],
  });
  assert.equal(status, 201);
  assert.deepEqual(
    [body.token_endpoint_auth_method, body.grant_types, body.client_secret, body.jwks_uri],
    ['none', ['authorization_code', 'refresh_token'], undefined, undefined],
  );
  for (const redirect_uris of [
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://evil.example/'],
    ['https://evil.example/#x'],
    ['no address'],
    [],
    undefined,
    'https://evil.example/',
    [1],
  ])
    assert.equal((await register(service, { redirect_uris })).status, 400, JSON.stringify(redirect_uris));
  assert.equal((await register(service, { redirect_uris: Array.from({ length: 11 }, () => REDIRECT) })).status, 400);
  let limited = 0;
  for (let count = 0; count < 30; count += 1) if ((await register(service)).status === 429) limited += 1;
  assert.ok(limited > 0);
});
