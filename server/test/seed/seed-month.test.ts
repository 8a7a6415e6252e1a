import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { environments } from '../../src/seed/month.ts';
import { openCommandLine, runBestow } from '../harness/command-line.ts';
import { verifyAll } from '../harness/ledger.ts';
import { startMailServer, workOn } from '../harness/mail-server.ts';
import { TestClock } from '../harness/test-clock.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import { startTestServiceOn, type TestService } from '../harness/test-service.ts';

const { assertRefused, json, target } = openCommandLine();
const DAY_MS = 86_400_000;
const STATUSES = ['sent', 'failed', 'opened', 'claimed', 'canceled', 'scheduled'];

/** `bestow seed --demo` on a new database, then a service there some days later. */
async function openSeeded(variables: Record<string, string> = {}, days = 0) {
  const database = await createTestDatabase();
  const { code, stdout, stderr } = await runBestow(database.target, ['seed', '--demo', '--json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const service = await startTestServiceOn(database, variables, new TestClock(Date.now() + days * DAY_MS));
  const close = async () => {
    await service.close();
    await database.drop();
  };
  return { month: JSON.parse(stdout), service, close };
}

const changes = (service: TestService) =>
  service.sql(`select (select count(*) from webhook_attempts) as attempts, (select count(*) from notices) as notices,
    (select count(*) from deliveries where environment = 'live') as messages`);

test('a demo’s month has gifts of every status, and a ledger that holds', async () => {
  const { month, service, close } = await openSeeded();
  for (const environment of environments) {
    const api = service.api(month.keys[environment]);
    for (const status of STATUSES) {
      const { body } = await api.get(`/v1/gifts?status=${status}&limit=1`);
      assert.equal(body.data?.length, 1, `${environment} ${status}`);
    }
  }
  await verifyAll(service);
  await close();
});

test('nothing of a demo’s month is sent, not even later by a service that can send', async () => {
  const mail = await startMailServer();
  const { service, close } = await openSeeded({ SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' }, 8);
  const before = await changes(service);
  await workOn(service, 150);
  assert.deepEqual(mail.tried, []);
  assert.deepEqual(await changes(service), before);
  assert.deepEqual(await service.sql(`select name from pgboss.job where name like 'send-%' and state < 'active'`), []);
  await close();
  await mail.close();
});

test('a month goes only into an unused demo, and a refusal changes nothing', async () => {
  await json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');
  await assertRefused(/^The database has another organization than the demo \(org_\w+\)/, ['seed', '--demo']);
  const client = new Client(target());
  await client.connect();
  const { rows } = await client.query(`select (select count(*) from organizations) as organizations,
    (select count(*) from orders) as orders, (select count(*) from categories) as categories,
    (select count(*) from ledger_entries) as entries`);
  await client.end();
  assert.deepEqual(rows, [{ organizations: '1', orders: '0', categories: '0', entries: '0' }]);

  const database = await createTestDatabase();
  const seed = () => runBestow(database.target, ['seed', '--demo', '--json']);
  assert.equal((await seed()).code, 0);
  const again = await seed();
  assert.equal(again.code, 1);
  assert.match(again.stderr, /already has orders/);
  await database.drop();
});

test('seed --demo goes alone, and without it the sizes are required', async () => {
  const args = ['--organizations', '1', '--environment', 'live'];
  for (const usage of [['--demo', ...args], args]) {
    const { code, stderr } = await runBestow(target(), ['seed', ...usage]);
    assert.equal(code, 2);
    assert.match(stderr, /--demo/);
  }
});
