import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startMailServer } from '../../harness/mail-server.ts';
import { bestow, temporaryDirectory, until } from '../../harness/server-process.ts';

test('the first server sends the mails that commands queued', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const variables = { DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: 'http://localhost:1', LOG_LEVEL: 'silent', DEMO: '0' };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await bestow([...args, '--json'], variables).ended;
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return JSON.parse(stdout);
  };
  await json('migrate');
  const { organization_id: id } = await json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');
  const { key_id } = await json('key', 'create', '--org', id, '--environment', 'sandbox', '--name', 'Web shop');
  await json('key', 'revoke', key_id, '--yes');
  await json('member', 'add', '--org', id, '--email', 'bob@acme.test', '--role', 'member');
  const list = async () => (await json('outbox', 'list')) as Record<string, string | null>[];
  assert.deepEqual(
    (await list()).map(({ to, title, state, environment, gift_id }) => [to, title, state, environment, gift_id]),
    [
      ['bob@acme.test', 'You are a member of Acme on Bestow', 'pending', null, null],
      ['ann@acme.test', 'An API key of Acme was revoked', 'pending', null, null],
      ['ann@acme.test', 'An API key of Acme was created', 'pending', null, null],
    ],
  );
  const server = bestow(['serve'], variables);
  await server.ready();
  await until(async () => (await list()).every(({ state }) => state === 'sent'), 'all are kept');
  const created = (await list())[2] ?? assert.fail();
  assert.equal(created['provider'], 'outbox');
  const shown = await json('outbox', 'show', `${created['reference']}`);
  assert.equal(shown.link, null);
  assert.match(
    shown.text,
    /^Key: Web shop\nValue: bestow-sandbox-\S+\nEnvironment: Sandbox\nBy: the operator \(.+\)\nFrom: /m,
  );
  const html = await bestow(['outbox', 'show', `${created['reference']}`, '--html'], variables).ended;
  assert.equal(html.stdout, shown.html);
  assert.match(
    (await bestow(['outbox', 'show', `${created['reference']}`], variables).ended).stdout,
    /^from +Bestow$/m,
  );
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
});

test('after a killed worker the next one sends the same mail with the same id', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const variables = { LOG_LEVEL: 'silent', LINK_SECRET: 'a link secret that two processes share' };
  const server = bestow(['serve', '--no-worker'], { ...variables, DATA_DIR: dataDir, PORT: '0' });
  const panel = await server.ready();
  const mail = await startMailServer();
  t.after(() => mail.close());
  const database = {
    ...variables,
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://bestow@${encodeURIComponent(join(dataDir, 'postgres'))}/bestow`,
    PUBLIC_URL: panel.address,
    SMTP_URL: mail.url,
    MAIL_FROM: 'gifts@bestow.example',
  };
  const command = async (...args: string[]) => JSON.parse((await bestow([...args, '--json'], database).ended).stdout);
  const [{ organization_id: id }] = await command('org', 'list');
  await command('key', 'create', '--org', id, '--environment', 'live', '--name', 'Web shop');

  const killed = Promise.withResolvers<void>();
  let isHandedIn = false;
  mail.answer(() => ({
    get after() {
      // Read once the whole message has arrived.
      isHandedIn = true;
      return killed.promise;
    },
  }));
  const first = bestow(['worker'], database);
  await until(() => isHandedIn, 'handed in');
  first.signal('SIGKILL');
  await first.ended;
  killed.resolve();
  await until(() => mail.received.length === 1, 'arrived');
  const second = bestow(['worker'], database);
  await until(() => mail.received.length === 2, 'sent again');
  const [one, other] = mail.received;
  assert.deepEqual([one?.to, one?.messageId], [other?.to, other?.messageId]);
  assert.equal(one?.email.text, other?.email.text);
  await until(async () => (await command('outbox', 'list'))[0].state === 'sent', 'recorded');
  second.signal('SIGTERM');
  assert.equal((await second.ended).code, 0);
  assert.equal(mail.received.length, 2);
});
