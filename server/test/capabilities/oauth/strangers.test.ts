import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agree,
  assistantOf,
  connectAssistant,
  createAssistant,
  openBrowser,
  REDIRECT,
  register,
  terms,
  visit,
} from '../../harness/assistant.ts';
import { openCookieBrowser } from '../../harness/cookie-browser.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { LINK_SECRET, startTestService } from '../../harness/test-service.ts';

// What people without an account can make the sign-in of assistants remember.

const service = openForFile(() =>
  startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000', TRUST_PROXY: '127.0.0.1/32,::1/128' }),
);

const rows = async () =>
  (await service.sql<{ kind: string }>('select kind from portal.oauth_records order by kind')).map(({ kind }) => kind);

test('programs that strangers register fill nothing, and the next one signs in', async () => {
  // As many as an earlier release kept before it refused every program.
  await service.sql(
    `insert into portal.oauth_records (kind, id_hash, payload, expires_at)
     select 'Client', sha256(n::text::bytea), '{"client_id":"x"}', $1 from generate_series(1, 5000) n`,
    [new Date(service.clock.now() + 3_600_000)],
  );
  const before = (await rows()).length;
  for (let count = 0; count < 100; count += 1) {
    const response = await fetch(`${service.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `2001:db8:${count.toString(16)}::1` },
      body: JSON.stringify({ redirect_uris: [REDIRECT] }),
    });
    assert.equal(response.status, 201, await response.text());
  }
  assert.equal((await rows()).length, before);
  const { tokens } = await connectAssistant(service, await service.organization(), await openBrowser(service));
  assert.ok(tokens.access_token);
  await service.sql('delete from portal.oauth_records');
});

test('sign-ins that strangers begin are no rows before a signed-in person comes to the page', async () => {
  const assistant = await createAssistant(service);
  const stranger = openCookieBrowser(service.url);
  for (let count = 0; count < 20; count += 1) await assistant.begin(stranger, { state: `${count}` });
  const id = await assistant.begin(stranger);
  assert.equal((await stranger.call('GET', `/connections/${id}`)).status, 401);
  assert.deepEqual(await rows(), []);

  const browser = await openBrowser(service);
  const begun = await assistant.begin(browser);
  assert.deepEqual(await rows(), []);
  assert.equal((await browser.call('GET', `/connections/${begun}`)).status, 200);
  assert.deepEqual(await rows(), ['Client', 'Interaction']);
});

test('a state above 2 kB is refused with a sentence, and one of 2,000 bytes comes back', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const redirect_uri = `${REDIRECT}/${'x'.repeat(900)}`;
  const assistant = await createAssistant(service, { redirect_uris: [redirect_uri] });
  const refused = await visit(browser, assistant.addressOf({ state: 'é'.repeat(1_001) }));
  assert.deepEqual([refused.status, /state must be at most 2 kB/.test(refused.text)], [400, true]);
  const wide = await visit(browser, assistant.addressOf({ state: '"'.repeat(2_000) }));
  assert.deepEqual([wide.status, /parameters must be at most 5 kB together/.test(wide.text)], [400, true]);
  const state = 'é'.repeat(1_000);
  const parameters = await agree(browser, organization, await assistant.begin(browser, { redirect_uri, state }));
  assert.equal(parameters.get('state'), state);
  const long = await register(service, { redirect_uris: [`${REDIRECT}/${'x'.repeat(1_000)}`] });
  assert.deepEqual([long.status, /at most 1,000 characters together/.test(JSON.stringify(long.body))], [400, true]);
});

test('a form of more than 20,000 characters is refused before its fields are read', async () => {
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const body = new URLSearchParams(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, '1']));
    assert.equal((await fetch(service.url + path, { method: 'POST', body })).status, 413);
  }
});

test('the cookies of an answered sign-in begin it no second time', async () => {
  const organization = await service.organization();
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  const id = await assistant.begin(browser);
  const kept = new Map(browser.cookies);
  await agree(browser, organization, id);
  assert.equal([...browser.cookies.keys()].filter((name) => name.startsWith('bestow_connect_begun')).length, 0);
  for (const [name, value] of kept) browser.cookies.set(name, value);
  const path = `/organizations/${organization.organizationId}/sandbox/connections/${id}`;
  assert.equal((await browser.call('POST', path, terms())).status, 404);
  assert.equal((await visit(browser, `${service.url}/oauth/authorize/${id}`)).status, 400);
});

test('a sealed sign-in is no program, and what was altered or is over a day old is unknown', async () => {
  const browser = await openBrowser(service);
  const assistant = await createAssistant(service);
  await assistant.begin(browser);
  const signIn = browser.cookies.get('bestow_connect_begun') ?? '';
  const last = assistant.clientId.at(-5) === 'A' ? 'B' : 'A';
  const altered = assistant.clientId.slice(0, -5) + last + assistant.clientId.slice(-4);
  for (const clientId of [signIn, altered])
    assert.equal((await visit(browser, assistantOf(service, clientId).addressOf())).status, 400);
  await service.clock.jump(86_400_000);
  assert.equal((await visit(browser, assistant.addressOf())).status, 400);
});

test('programs outlive the rotation of the secret, and after its loss those that were signed in', async () => {
  const organization = await service.organization();
  const used = await connectAssistant(service, organization, await openBrowser(service));
  const unused = await createAssistant(service);
  const SECOND = 'another link secret for tests that is long enough';
  const rotated = await service.second({}, [SECOND, LINK_SECRET]);
  const lost = await service.second({ PUBLIC_URL: service.service.deps.publicUrl() }, [SECOND]);
  assert.ok(await assistantOf(rotated, unused.clientId).begin(openCookieBrowser(rotated.url)));
  const unknown = await visit(openCookieBrowser(lost.url), assistantOf(lost, unused.clientId).addressOf());
  assert.equal(unknown.status, 400);
  const refreshed = await assistantOf(lost, used.assistant.clientId).refresh(used.tokens.refresh_token);
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
});
