import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Client } from 'pg';
import { startProxy } from '../../../../reliability/proxy/start-proxy.ts';
import { connectDatabase } from '../../../src/platform/database/connections.ts';
import { SERVICE_USER_NAME } from '../../../src/platform/embedded-postgres/cluster.ts';
import { openDatabase } from '../../../src/platform/installation/open-database.ts';
import { assertRefused, directoryForEachTest, query } from '../../harness/embedded-directory.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startProxiedService } from '../../harness/proxied-service.ts';
import { until } from '../../harness/server-process.ts';

const place = directoryForEachTest();
const { open } = place;

const openUrl = (url: string) => openDatabase({ databaseUrls: [url], dataDir: place.dataDir }, 'server');

suite('DATABASE_URL', () => {
  /** A PostgreSQL with passwords, and its address without user and database. */
  async function openWithPasswords() {
    const database = await open('command');
    const socket = encodeURIComponent(join(place.dataDir, 'postgres'));
    await query(database.ownerTarget, "create role visitor login password 'right'");
    await writeFile(
      join(place.dataDir, 'postgres/pg_hba.conf'),
      `local all bestow,${SERVICE_USER_NAME} trust\nlocal all all scram-sha-256\n`,
    );
    await query(database.ownerTarget, 'select pg_reload_conf()');
    return { database, url: (user: string, name: string) => `postgres://${user}@${socket}/${name}` };
  }

  test('the database is migrated, described without its password and not stopped', async () => {
    const { database, url } = await openWithPasswords();
    await query(database.ownerTarget, 'create database theirs owner visitor');
    const theirs = await openUrl(url('visitor:right', 'theirs'));
    assert.match(theirs.description, /^PostgreSQL 18\.4 at .*:5432\/theirs$/);
    assert.doesNotMatch(theirs.description, /right/);
    await theirs.close();
    assert.deepEqual(await query(theirs.servers[0], 'select count(*) > 0 from schema_migrations'), [true]);
    await database.close();
  });

  test('a wrong password, missing database or missing right gives one sentence', async () => {
    const { database, url } = await openWithPasswords();
    await assertRefused(openUrl(url('visitor:wrong', 'bestow')), /^The database .* refuses the user or the password;/);
    await assertRefused(openUrl(url('bestow', 'nowhere')), /nowhere\) does not exist; create it/);
    await query(database.ownerTarget, 'create database closed');
    await assertRefused(openUrl(url('visitor:right', 'closed')), /does not allow this user to migrate it;/);
    await database.close();
  });

  test('an address without a PostgreSQL is refused', async () => {
    await assertRefused(
      openUrl('postgres://u:secret@127.0.0.1:1/d'),
      /^The database of DATABASE_URL \(127\.0\.0\.1:1\/d\) cannot be reached: nothing/,
    );
    await assertRefused(openUrl('postgres://u:secret@%2Fnowhere/d'), /cannot be reached: the socket does not exist;/);
    await assertRefused(openUrl('postgres://u:%ff@localhost/d'), /^DATABASE_URL cannot be understood/);
    const listener = createServer((socket) => {
      socket.on('error', () => undefined);
      if (answer) socket.end(answer);
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    assert.ok(address && typeof address === 'object');
    let answer = '';
    const url = `postgres://u:secret@127.0.0.1:${address.port}/d`;
    await assertRefused(openUrl(url), /cannot be reached: it does not answer;/);
    answer = 'HTTP/1.1 400 Bad Request\r\n\r\n';
    await assertRefused(openUrl(url), /^The database of DATABASE_URL .* cannot be used: /);
    listener.close();
  });

  test('a connection lost during a migration gives one sentence', async () => {
    const database = await open('command');
    const proxy = await startProxy(database.ownerTarget);
    const holder = new Client(database.ownerTarget);
    await holder.connect();
    await holder.query('begin; lock table schema_migrations');
    const waiting = `select from pg_locks where relation = 'schema_migrations'::regclass and not granted`;
    const refused = assertRefused(
      openUrl(proxy.url),
      /^The database of DATABASE_URL \(.*\) cannot be used: Connection terminated unexpectedly\.$/,
    );
    await until(async () => (await holder.query(waiting)).rowCount === 1, 'it waits');
    proxy.cutAll();
    await refused;
    await holder.end();
    await proxy.close();
    await database.close();
  });

  test('the URL’s parameters apply, except those that Bestow sets for its sessions', async () => {
    const { database, url } = await openWithPasswords();
    await query(database.ownerTarget, 'create database theirs owner visitor');
    const address = url('visitor:right', 'theirs');
    await assertRefused(openUrl(`${address}?sslmode=verify-full`), /does not speak TLS; turn ssl on in its settings/);
    await assertRefused(openUrl(`${address}?sslmod=require`), /unknown parameter sslmod; known are ssl, sslmode, /);
    await assertRefused(openUrl(`${address}?sslmode=on`), /unknown sslmode on; use one of disable, /);
    const parameters = new URLSearchParams({
      sslmode: 'disable',
      application_name: 'theirs',
      statement_timeout: '1',
      lock_timeout: '1',
      idle_in_transaction_session_timeout: '1',
      query_timeout: '1',
      options: '-c application_name=theirs -c bestow.mark=kept -c statement_timeout=1',
    });
    const theirs = await openUrl(`${address}?${parameters}`);
    const connections = connectDatabase(theirs.servers[0] ?? assert.fail(), () => undefined);
    const names = ['application_name', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const { rows } = await connections.pool.query<{ value: string }>(
      'select current_setting(name) as value from unnest($1::text[]) with ordinality as named (name, n) order by n',
      [[...names, 'bestow.mark']],
    );
    assert.deepEqual(
      rows.map(({ value }) => value),
      ['bestow', '10s', '0', '10s', 'kept'],
    );
    await connections.close();
    await database.close();
  });

  test('the URL’s options do not hide the portal’s tables', async (t) => {
    const { direct, url, close } = await startProxiedService('&options=-c%20search_path%3Dpublic');
    t.after(close);
    await direct.organization();
    const person = (await createPortalClient(direct, 'admin@example.com')).at(url);
    assert.equal((await person.call('GET', '/me')).status, 200);
  });
});
