import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { environments } from '../../../src/surfaces/seed/month.ts';
import { seedDemo } from '../../../src/surfaces/seed/seed-demo.ts';
import { openCommandLine, runBestow } from '../../harness/command-line.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { startMailServer, workOn } from '../../harness/mail-server.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { startTestServiceOn, type TestService } from '../../harness/test-service.ts';

const { assertRefused, json, target } = openCommandLine();
const DAY_MS = 86_400_000;
const STATUSES = ['sent', 'failed', 'opened', 'claimed', 'canceled', 'scheduled'];

async function seedDatabase(database: TestDatabase) {
  const { code, stdout, stderr } = await runBestow(database.target, ['seed', '--demo', '--json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const changes = (service: TestService) =>
  service.sql(`select (select count(*) from webhook_attempts) as attempts, (select count(*) from notices) as notices,
    (select count(*) from deliveries where environment = 'live') as messages`);

test('a month beside a running demo has every status, and its ledger holds', async () => {
  const database = await createTestDatabase();
  const service = await startTestServiceOn(database, {}, new TestClock(Date.now()));
  const { deps } = service.service;
  await seedDemo(deps, { hasLiveFunds: false });
  await sealChains(deps);
  const { keys } = await seedDatabase(database);
  for (const environment of environments)
    for (const status of STATUSES) {
      const { body } = await service.api(keys[environment]).get(`/v1/gifts?status=${status}&limit=1`);
      assert.equal(body.data?.length, 1, `${environment} ${status}`);
    }
  await sealChains(deps);
  await verifyAll(service);
  await service.close();
  await database.drop();
});

test('nothing of a demo’s month is sent, not even later by a service that can send', async () => {
  const mail = await startMailServer();
  const database = await createTestDatabase();
  await seedDatabase(database);
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' };
  const service = await startTestServiceOn(database, settings, new TestClock(Date.now() + 8 * DAY_MS));
  const before = await changes(service);
  await workOn(service, 70);
  assert.deepEqual(mail.tried, []);
  assert.deepEqual(await changes(service), before);
  assert.deepEqual(await service.sql(`select name from pgboss.job where name like 'send-%' and state < 'active'`), []);
  await service.close();
  await database.drop();
  await mail.close();
});

test('a month goes only into an unused demo, and a refusal changes nothing', async () => {
  await json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');
  await assertRefused(/^The database has another organization than the demo \(org_\w+\)/, ['seed', '--demo']);
  const variables = { NODE_ENV: 'production' };
  await assertRefused(/^A demo is for one machine/, ['seed', '--demo'], { variables });
  const client = new Client(target());
  await client.connect();
  const { rows } = await client.query(`select (select count(*) from organizations) as organizations,
    (select count(*) from orders) as orders, (select count(*) from categories) as categories,
    (select count(*) from ledger_entries) as entries`);
  await client.end();
  assert.deepEqual(rows, [{ organizations: '1', orders: '0', categories: '0', entries: '0' }]);

  const database = await createTestDatabase();
  await seedDatabase(database);
  const again = await runBestow(database.target, ['seed', '--demo']);
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
