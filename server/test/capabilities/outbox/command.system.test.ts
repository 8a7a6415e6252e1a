import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createApiClient, emailGift, gift } from '../../harness/api-client.ts';
import { bestow, fundLive, serve, temporaryDirectory, until } from '../../harness/server-process.ts';

/** Starts a server; returns it with a function that runs an outbox command on the same data. */
async function start(t: TestContext, more: Record<string, string> = {}) {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir, { LOG_LEVEL: 'silent', ...more });
  const panel = await server.ready();
  await fundLive(dataDir);
  const variables = { DATA_DIR: dataDir, PORT: new URL(panel.address).port, LOG_LEVEL: 'silent', ...more };
  const outbox = (...args: string[]) => bestow(['outbox', ...args], variables).ended;
  const list = async (...args: string[]) =>
    JSON.parse((await outbox('list', '--json', ...args)).stdout) as Record<string, string | null>[];
  const stop = async () => {
    server.signal('SIGTERM');
    assert.equal((await server.ended).code, 0);
  };
  return { panel, outbox, list, stop };
}

const toPhone = gift({ delivery: { method: 'phone', phone: '+12025550142' } });

test('the outbox command lists and shows messages with links that work', async (t) => {
  const { panel, outbox, list, stop } = await start(t);
  const { stdout: url, code, stderr } = await outbox('url');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(url, new RegExp(`^${panel.address}/outbox/[\\w-]{24}\n$`));
  assert.match(await (await fetch(url.trim())).text(), /<h1>Outbox<\/h1>/);
  assert.deepEqual(JSON.parse((await outbox('url', '--json')).stdout), { url: url.trim() });
  const live = createApiClient(panel.address, panel.liveKey);
  const { body } = await live.order([
    gift({ delivery: { method: 'email', email: 'ada@example.com' }, personalization: { sender_name: 'Acme' } }),
    toPhone,
  ]);
  await until(async () => (await list()).every(({ state }) => state === 'sent'), 'both are kept');

  const messages = await list();
  assert.equal(messages.length, 2);
  assert.deepEqual(
    new Set(messages.map(({ gift_id }) => gift_id)),
    new Set(body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id)),
  );
  assert.equal((await list('--limit', '1')).length, 1);
  const email = messages.find(({ channel }) => channel === 'email');
  const phone = messages.find(({ channel }) => channel === 'phone');
  assert.deepEqual(
    [email?.['to'], email?.['title'], email?.['provider']],
    ['ada@example.com', 'Acme sent you a gift', 'outbox'],
  );

  const reference = `${email?.['reference']}`;
  const shown = JSON.parse((await outbox('show', reference, '--json')).stdout);
  assert.ok(shown.link.startsWith(`${panel.address}/g/`));
  assert.ok(shown.html.includes(shown.link) && shown.text.includes(shown.link));
  assert.equal((await fetch(shown.link)).status, 200);
  assert.equal((await outbox('show', reference, '--html')).stdout, shown.html);
  assert.equal((await outbox('show', reference, '--text')).stdout, shown.text);
  const shownToPeople = (await outbox('show', reference)).stdout;
  assert.match(shownToPeople, /^to +ada@example\.com$/m);
  assert.ok(shownToPeople.endsWith(`\n\n${shown.text}`), 'the facts end with the text');
  assert.match(shownToPeople, /^state +Kept in the outbox: no mail server configured$/m);

  const noHtml = await outbox('show', `${phone?.['reference']}`, '--html');
  assert.deepEqual([noHtml.code, noHtml.stdout, noHtml.stderr], [1, '', 'A text message has no HTML; use --text.\n']);
  const unknown = await outbox('show', 'nothing');
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'There is no message nothing; `bestow outbox list` shows the latest.\n'],
  );
  assert.equal((await outbox('list', '--limit', '0')).code, 2);
  await stop();
});

test('list --failed shows only messages that no provider accepts, with reasons', async (t) => {
  // No test listens on port 1.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'gifts@bestow.example' };
  const { panel, outbox, list, stop } = await start(t, mail);
  assert.deepEqual([(await outbox('url')).code, /Outbox/.test(panel.text)], [1, false]);
  const toEmail = gift({ delivery: { method: 'email', email: 'ada@example.com' } });
  await createApiClient(panel.address, panel.liveKey).order([toEmail, toPhone]);
  await createApiClient(panel.address, panel.sandboxKey).order([emailGift('bounced')]);
  await until(async () => (await list('--failed')).length > 0, 'an attempt failed');
  const [message, ...others] = await list('--failed');
  assert.deepEqual([message?.['to'], message?.['environment'], others], ['ada@example.com', 'live', []]);
  assert.match(message?.['reason'] ?? '', /ECONNREFUSED|connect/i);
  const table = await outbox('list', '--failed');
  assert.match(table.stdout, /^reference +to +environment +state +created +title +reason$/m);
  assert.ok(table.stdout.trimEnd().endsWith(message?.['reason'] ?? '–'), table.stdout);
  await stop();
});
