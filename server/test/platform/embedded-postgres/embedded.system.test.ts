import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { isPostgresAlive } from '../../../src/platform/embedded-postgres/lock-file.ts';
import { directoryForEachTest, query } from '../../harness/embedded-directory.ts';
import { until } from '../../harness/server-process.ts';

const place = directoryForEachTest();
const { hold, open, postgresPid } = place;

suite('the embedded PostgreSQL', () => {
  test('the first start creates the database; the second keeps the data', async () => {
    const first = await open('server');
    assert.equal(first.description, `embedded PostgreSQL 18.4 in ${place.dataDir}`);
    await query(first.ownerTarget, 'create table kept as select 7 as figure');
    await first.close();
    assert.equal((await stat(place.dataDir)).mode & 0o777, 0o700);
    const second = await open('server');
    assert.deepEqual(await query(second.ownerTarget, 'select figure from kept'), [7]);
    assert.notEqual((await query(second.servers[0], 'select count(*)::int from schema_migrations'))[0], 0);
    await second.close();
    assert.deepEqual((await readdir(place.dataDir)).sort(), ['postgres', 'postgres.log']);
  });

  test('commits are flushed to the disk, text is Unicode and time is UTC', async () => {
    const database = await open('command');
    for (const [name, value] of Object.entries({
      fsync: 'on',
      synchronous_commit: 'on',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
      listen_addresses: '',
    }))
      assert.deepEqual(await query(database.ownerTarget, `show ${name}`), [value], name);
    await database.close();
  });

  test('processes that open a new data directory at once share one PostgreSQL', async () => {
    const [other, ...databases] = await Promise.all([hold('server'), open('command'), open('command')]);
    assert.match(other.line, /^open: /);
    const starts = await Promise.all(
      databases.map(({ servers }) => query(servers[0], 'select pg_postmaster_start_time()')),
    );
    assert.deepEqual(starts[0], starts[1]);
    const pid = await postgresPid();
    await Promise.all([other.close(), ...databases.map((database) => database.close())]);
    await until(() => !isPostgresAlive(pid), 'PostgreSQL ends');
    assert.deepEqual((await readdir(place.dataDir)).sort(), ['postgres', 'postgres.log']);
  });

  test('a command beside a server shares its PostgreSQL and does not stop it', async () => {
    const server = await hold('server');
    const pid = await postgresPid();
    const command = await open('command');
    await command.close();
    assert.equal(await postgresPid(), pid);
    assert.ok(isPostgresAlive(pid));
    await server.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('a command that outlives the server keeps PostgreSQL running', async () => {
    const server = await hold('server');
    const command = await open('command');
    await server.close();
    assert.deepEqual(await query(command.servers[0], 'select 1'), [1]);
    const pid = await postgresPid();
    await command.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('a command without a server starts and stops PostgreSQL', async () => {
    const command = await open('command');
    const pid = await postgresPid();
    assert.ok(isPostgresAlive(pid));
    await command.close();
    assert.ok(!isPostgresAlive(pid));
    assert.equal(await postgresPid(), 0);
  });

  test('opening during a stop of PostgreSQL waits and starts it again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await open('server');
      const [, second] = await Promise.all([first.close(), open('command')]);
      assert.deepEqual(await query(second.servers[0], 'select 1'), [1]);
      await second.close();
    }
  });

  test('a path too long for a socket works', async () => {
    const long = join(place.dataDir, ...Array.from({ length: 8 }, () => 'a directory of thirty letters!'));
    const database = await open('server', long);
    assert.deepEqual(await query(database.servers[0], 'select 1'), [1]);
    const command = await hold('command', { directory: long });
    assert.match(command.line, /^open: /);
    await command.close();
    const pid = await postgresPid(long);
    await database.close();
    assert.ok(!isPostgresAlive(pid));
  });
});
