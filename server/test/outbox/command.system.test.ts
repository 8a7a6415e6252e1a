import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient, gift } from '../harness/api-client.ts';
import { bestow, serve, temporaryDirectory, until } from '../harness/server-process.ts';

test('the outbox command lists and shows messages with links that work', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const server = serve(dataDir, { LOG_LEVEL: 'silent' });
  const panel = await server.ready();
  const variables = { DATA_DIR: dataDir, PORT: new URL(panel.address).port, LOG_LEVEL: 'silent' };
  assert.match(panel.text, new RegExp(`^ {2}Outbox +${panel.address}/outbox$`, 'm'));
  const live = createApiClient(panel.address, panel.liveKey);
  const { body } = await live.order([
    gift({ delivery: { method: 'email', email: 'ada@example.com' }, personalization: { sender_name: 'Acme' } }),
    gift({ delivery: { method: 'phone', phone: '+12025550142' } }),
  ]);
  const outbox = async (...args: string[]) => await bestow(['outbox', ...args], variables).ended;
  const list = async () => JSON.parse((await outbox('list', '--json')).stdout) as Record<string, string | null>[];
  await until(async () => (await list()).every(({ state }) => state === 'sent'), 'both are kept');

  const messages = await list();
  assert.equal(messages.length, 2);
  assert.deepEqual(
    new Set(messages.map(({ gift_id }) => gift_id)),
    new Set(body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id)),
  );
  assert.equal((JSON.parse((await outbox('list', '--limit', '1', '--json')).stdout) as object[]).length, 1);
  const email = messages.find(({ channel }) => channel === 'email');
  const phone = messages.find(({ channel }) => channel === 'phone');
  assert.deepEqual(
    [email?.['to'], email?.['title'], email?.['provider']],
    ['ada@example.com', 'Acme sent you a gift', 'outbox'],
  );

  const shown = JSON.parse((await outbox('show', `${email?.['reference']}`, '--json')).stdout);
  assert.ok(shown.link.startsWith(`${panel.address}/g/`));
  assert.ok(shown.html.includes(shown.link) && shown.text.includes(shown.link));
  assert.equal((await fetch(shown.link)).status, 200);
  assert.equal((await outbox('show', `${email?.['reference']}`, '--html')).stdout, shown.html);
  assert.equal((await outbox('show', `${email?.['reference']}`, '--text')).stdout, shown.text);
  const shownToPeople = (await outbox('show', `${email?.['reference']}`)).stdout;
  assert.match(shownToPeople, /^to +ada@example\.com$/m);
  assert.match(shownToPeople, /^state +Not sent: no mail server configured$/m);

  const noHtml = await outbox('show', `${phone?.['reference']}`, '--html');
  assert.deepEqual([noHtml.code, noHtml.stdout, noHtml.stderr], [1, '', 'A text message has no HTML; use --text.\n']);
  const unknown = await outbox('show', 'nothing');
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'There is no message nothing; `bestow outbox list` shows the latest.\n'],
  );
  assert.equal((await outbox('list', '--limit', '0')).code, 2);
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
});

test('list --failed shows only messages that no provider accepts, with reasons', async (t) => {
  const dataDir = await temporaryDirectory(t);
  // No test listens on port 1.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'gifts@bestow.example' };
  const server = serve(dataDir, { LOG_LEVEL: 'silent', ...mail });
  const panel = await server.ready();
  const variables = { DATA_DIR: dataDir, PORT: new URL(panel.address).port, LOG_LEVEL: 'silent', ...mail };
  const delivery = (email: string) => ({ delivery: { method: 'email' as const, email } });
  await createApiClient(panel.address, panel.liveKey).order([gift(delivery('ada@example.com'))]);
  await createApiClient(panel.address, panel.liveKey).order([
    gift({ delivery: { method: 'phone', phone: '+12025550142' } }),
  ]);
  await createApiClient(panel.address, panel.sandboxKey).order([gift(delivery('bounced@sandbox.gift.test'))]);
  const list = async () => {
    const { stdout } = await bestow(['outbox', 'list', '--failed', '--json'], variables).ended;
    return JSON.parse(stdout) as Record<string, string | null>[];
  };
  await until(async () => (await list()).length > 0, 'an attempt failed');
  const [message, ...others] = await list();
  assert.deepEqual([message?.['to'], message?.['environment'], others], ['ada@example.com', 'live', []]);
  assert.match(message?.['reason'] ?? '', /ECONNREFUSED|connect/i);
  const table = await bestow(['outbox', 'list', '--failed'], variables).ended;
  assert.match(table.stdout, /^reference +to +environment +state +created +title +reason$/m);
  assert.ok(table.stdout.trimEnd().endsWith(message?.['reason'] ?? '–'), table.stdout);
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
});
