import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { createQueues } from '../../../src/platform/jobs/create-queues.ts';
import { gift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, startTestServiceOn } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** Makes a database on the server of the tests. @param how as in `create database` */
async function createDatabase(name: string, how: string) {
  const database = `${service.target.database}_${name}`;
  const admin = new Client({ ...service.target, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${database} template template0 ${how}`);
  const drop = async () => {
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  };
  return { target: { ...service.target, database }, drop };
}

test('a Turkish database finds addresses in capitals, and admits a member once', async () => {
  const { target, drop } = await createDatabase(
    'tr',
    `encoding 'UTF8' locale_provider icu icu_locale 'tr' locale 'C.UTF-8'`,
  );
  await migrate(target);
  await createQueues(target, systemClock);
  const turkish = await startTestServiceOn({ target, servers: [target], serviceServers: [target], drop });
  try {
    await turkish.addCategory('coffee');
    const { organizationId, live } = await turkish.organization();
    const email = 'lili.iris@example.com';
    assert.equal((await live.order([gift({ delivery: { method: 'email', email } })])).status, 201);
    const bestow = (...args: string[]) => runBestow(target, [...args, '--org', organizationId, '--json']);
    const add = (address: string) => bestow('member', 'add', '--email', address, '--role', 'member');
    assert.equal((await add('info@example.com')).code, 0);
    assert.equal((await add('INFO@EXAMPLE.COM')).code, 1);
    const erased = await bestow('recipient', 'erase', '--email', 'LILI.IRIS@EXAMPLE.COM', '--yes');
    assert.equal(JSON.parse(erased.stdout).gifts, 1, erased.stdout + erased.stderr);
    const [{ left } = { left: -1 }] = await turkish.sql<{ left: string }>(
      `select count(*) as left from deliveries where address like 'lili%'`,
    );
    assert.equal(Number(left), 0);
  } finally {
    await turkish.close();
  }
});

test('a database that is not in UTF-8 is refused', async () => {
  const { target, drop } = await createDatabase('latin', `encoding 'LATIN1' locale 'C'`);
  await assert.rejects(migrate(target), {
    message:
      "The database has the encoding LATIN1; create it with: create database NAME encoding 'UTF8' template template0.",
  });
  await drop();
});

test('the portal’s search finds what it shows, in any spelling', async () => {
  const organization = await service.organization();
  const named = (recipient_name: string) => gift({ delivery: { method: 'link' }, personalization: { recipient_name } });
  const phone = gift({ delivery: { method: 'phone', phone: '+442079460018' } });
  const names = ['ΓΙΩΡΓΟΣ', 'İbrahim', 'Zo\u00eb', 'Zoe\u0308 Decomposed'];
  assert.equal((await organization.sandbox.order([...names.map(named), phone])).status, 201);
  const admin = await createPortalClient(service, 'admin@example.com');
  const found = async (query: string) => {
    const path = `/organizations/${organization.organizationId}/sandbox/gifts?query=${encodeURIComponent(query)}`;
    const { status, body } = await admin.call('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.length;
  };
  for (const [query, count] of [
    ['ΓΙΩΡΓΟΣ', 1],
    ['γιωργος', 1],
    ['İbrahim', 1],
    ['Zo\u00eb', 2],
    ['zoe\u0308', 2],
    ['020 7946 0018', 1],
    ['0044 20 7946', 1],
    ['+44 20 7946 0018', 1],
    ['7946 0018', 1],
    ['021 7946', 0],
  ] as const)
    assert.equal(await found(query), count, query);
});
