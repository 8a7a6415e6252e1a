import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOutbox } from '../../../src/capabilities/outbox/outbox.ts';
import { composeMessage } from '../../../src/core/delivery/compose-message.ts';
import { gift } from '../../harness/api-client.ts';
import { assertStrict } from '../../harness/assert-strict.ts';
import { countPending } from '../../harness/deliveries.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { codeNotice, noticesOf, queue } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused, exchange } from '../../harness/raw-http.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';

// Without a provider, and always in the sandbox, messages are only in the outbox. They contain links that are worth money.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());

const outbox = () => service.service.deps.outboxPath;

const ask = (path: string, headers: string[] = [], host = 'localhost', from = service, version = '1.1') =>
  exchange(from.url, [`GET ${path} HTTP/${version}`, `Host: ${host}`, ...headers, '', ''].join('\r\n'));

const emailTo = (email: string, personalization = {}) =>
  gift({ delivery: { method: 'email', email }, personalization });

/** Orders gifts and returns their messages, newest first. */
async function messagesOf(environment: 'live' | 'sandbox', ...gifts: unknown[]) {
  const { status, body } = await organization[environment].order(gifts);
  assert.equal(status, 201, JSON.stringify(body));
  await workUntil(service, async () => (await countPending(service)) === 0, 'done');
  return (await listOutbox(service.service.deps, gifts.length)).filter((found) => found.kind === 'gift');
}

test('the outbox lists messages of both environments, newest first', async () => {
  await messagesOf('live', emailTo('live@example.com', { sender_name: 'Liv' }));
  await messagesOf(
    'sandbox',
    emailTo('sandbox@example.com', { sender_name: 'Sandy' }),
    gift({ delivery: { method: 'phone', phone: '+12025550142' } }),
  );
  const { status, body, headers } = await ask(outbox());
  assert.equal(status, 200);
  assertStrict(body);
  assert.equal(headers.get('cache-control'), 'no-store');
  const recipients = [...body.matchAll(/ to <bdi>([^<]+)<\/bdi>/g)].map(([, to]) => to);
  assert.deepEqual(new Set(recipients.slice(0, 2)), new Set(['sandbox@example.com', '+12025550142']));
  assert.equal(recipients[2], 'live@example.com');
  assert.match(body, /Liv sent you a gift/);
  assert.match(body, /Text message from Test Organization/);
  assert.match(body, /live · Kept in the outbox: no mail server configured/);
  assert.match(body, /sandbox · Kept in the outbox: the sandbox sends no messages/);
});

test('the outbox filters by address, kind and state', async () => {
  await messagesOf('live', emailTo('filter.one@example.com'));
  await messagesOf(
    'sandbox',
    emailTo('filter.two@example.com'),
    gift({ delivery: { method: 'phone', phone: '+12025550177' } }),
  );
  await queue(service, organization, codeNotice(service, '482914'), 'filter.member@example.com');
  const shown = async (query: string) => {
    const { status, body } = await ask(`${outbox()}?${query}`);
    assert.equal(status, 200);
    assertStrict(body);
    return [...body.matchAll(/ to <bdi>([^<]+)<\/bdi>/g)].map(([, to]) => to).sort();
  };
  const [one, two, member] = ['filter.one', 'filter.two', 'filter.member'].map((name) => `${name}@example.com`);
  assert.deepEqual(await shown('to=FILTER.'), [member, one, two]);
  assert.deepEqual(await shown('to=filter.&kind=email'), [one, two]);
  assert.deepEqual(await shown('to=filter.&kind=member'), [member]);
  assert.deepEqual(await shown('to=0177&kind=phone'), ['+12025550177']);
  assert.deepEqual(await shown('to=filter.&state=kept&kind=email'), [one, two]);
  assert.deepEqual(await shown('to=filter.&state=sent'), []);
  assert.deepEqual(await shown('to=filter.&state=failed'), []);
});

test('a message page shows the HTML in a frame, the text and a link that works', async () => {
  const name = '</iframe><script>alert(1)</script>';
  const [found] = await messagesOf('sandbox', emailTo('ada@example.com', { recipient_name: name }));
  assert.ok(found);
  const { message, link, row } = found;
  assert.deepEqual(message, composeMessage(service.service.deps, row));
  const shown = await ask(`${outbox()}/${message.reference}`);
  assert.equal(shown.status, 200);
  assertStrict(shown.body);
  assert.match(shown.headers.get('content-security-policy') ?? '', /; script-src 'self'; frame-src 'self'$/);
  assert.match(
    shown.body,
    new RegExp(
      `<iframe src="${outbox()}/${message.reference}/html" title="[^"]+" sandbox="allow-same-origin"></iframe>`,
    ),
  );
  assert.ok(shown.body.includes('<h2>Text</h2>'));
  const mail = await ask(`${outbox()}/${message.reference}/html`);
  assert.equal(mail.body, message.html);
  assert.equal(mail.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(
    mail.headers.get('content-security-policy'),
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
  );
  assert.equal((await openLink(service, link)).status, 200);
});

test('a text message has no HTML', async () => {
  const [found] = await messagesOf('sandbox', gift({ delivery: { method: 'phone', phone: '+12025550142' } }));
  const { body } = await ask(`${outbox()}/${found?.message.reference}`);
  assert.doesNotMatch(body, /<iframe/);
  assert.ok(body.includes('sent you a gift. Open it: '));
  assertRefused(await ask(`${outbox()}/${found?.message.reference}/html`), 'resource_missing');
});

test('an unknown or malformed reference is not found', async () => {
  for (const reference of ['x', '0'.repeat(97), `${'0'.repeat(32)}s${'0'.repeat(64)}`, '%00', '..%2F'])
    for (const end of ['', '/html']) assertRefused(await ask(`${outbox()}/${reference}${end}`), 'resource_missing');
});

test('only this machine can see the outbox, without a proxy', async () => {
  const [found] = await messagesOf('sandbox', emailTo('someone@example.com'));
  for (const path of [
    outbox(),
    `${outbox()}/${found?.message.reference}`,
    `${outbox()}/${found?.message.reference}/html`,
  ]) {
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1', '127.8.9.1:3000', '[::1]', '[::1]:3000'])
      assert.equal((await ask(path, [], host)).status, 200, host);
    const names = ['gifts.example.com', 'localhost.example.com', '127.0.0.1.example.com'];
    for (const host of [...names, 'x@localhost', '10.0.0.1', '[::2]', '', 'localhost:'])
      assertRefused(await ask(path, [], host), 'resource_missing');
    const forwarded = ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'x-forwarded-other: 1'];
    for (const header of [...forwarded, 'Forwarded: for=127.0.0.1', 'Via: 1.1 proxy', 'X-Real-IP: 127.0.0.1'])
      assertRefused(await ask(path, [header]), 'resource_missing');
    // nginx's default for forwarded requests.
    assertRefused(await ask(path, ['Connection: close'], '127.0.0.1:3000', service, '1.0'), 'resource_missing');
  }
});

test('another user of this machine cannot open the outbox without its address', async () => {
  const [found] = await messagesOf('sandbox', emailTo('someone@example.com'));
  const [, , token = ''] = outbox().split('/');
  assert.match(token, /^[\w-]{24}$/);
  const other = await service.second({}, ['another secret of another data directory']);
  assert.notEqual(other.service.deps.outboxPath, outbox());
  const near = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const guess of ['', `/${near}`, `/${token.slice(0, -1)}`, `/${token}x`, other.service.deps.outboxPath.slice(7)])
    for (const end of ['', `/${found?.message.reference}`, `/${found?.message.reference}/html`])
      assertRefused(await ask(`/outbox${guess}${end}`), 'resource_missing');
});

test('no outbox in production, at a public address, or while something is sent', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'gifts@bestow.example' };
  const texts = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+12025550199',
    TWILIO_BASE_URL: 'http://127.0.0.1:1',
  };
  const off = [{ NODE_ENV: 'production' }, { PUBLIC_URL: 'https://gifts.example.com' }, mail, texts];
  for (const variables of [...off, { DATABASE_URL: 'postgres://127.0.0.1:1/elsewhere' }]) {
    const other = await service.second(variables);
    const missing = await ask('/nothing', [], 'localhost', other);
    for (const path of ['/outbox', outbox(), `${outbox()}/${'0'.repeat(32)}s${'0'.repeat(64)}`]) {
      const answer = await ask(path, [], 'localhost', other);
      assertRefused(answer, 'resource_missing');
      const names = (headers: Headers) => [...headers.keys()].sort();
      assert.deepEqual(names(answer.headers), names(missing.headers));
    }
  }
});

test('the outbox also lists mails to members, with their codes', async () => {
  const ada = 'ada@acme.test';
  await messagesOf('live', emailTo('before@example.com'));
  await queue(service, organization, codeNotice(service, '482913'), ada);
  await messagesOf('live', emailTo('after@example.com'));
  const settled = async () => (await noticesOf(service, organization)).every(({ state }) => state === 'sent');
  await workUntil(service, settled, 'kept');
  const latest = await listOutbox(service.service.deps, 3);
  assert.deepEqual(
    latest.map(({ kind, message, row }) => [kind, message.to, row.provider]),
    [
      ['gift', 'after@example.com', 'outbox'],
      ['notice', ada, 'outbox'],
      ['gift', 'before@example.com', 'outbox'],
    ],
  );
  const { body: list } = await ask(outbox());
  assertStrict(list);
  assert.match(list, /Your sign-in code for Bestow: 482913<\/bdi><\/a><p>Email to <bdi>ada@acme\.test<\/bdi>/);
  assert.match(list, /<p class="state">Kept in the outbox: no mail server configured<br>/);
  const { message } = latest[1] ?? assert.fail();
  const { body: shown } = await ask(`${outbox()}/${message.reference}`);
  assertStrict(shown);
  assert.ok(shown.includes('482913'));
  assert.match(shown, /<dt>From<\/dt><dd><bdi>Bestow<\/bdi>/);
  assert.equal((await ask(`${outbox()}/${message.reference}/html`)).body, message.html);
  for (const end of ['', '/html'])
    assertRefused(await ask(`${outbox()}/${message.reference}${end}`, [], 'gifts.example.com'), 'resource_missing');
  assertRefused(await ask(`/outbox/${message.reference.slice(0, -32)}${'0'.repeat(32)}`), 'resource_missing');
});
