import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresAlive } from '../../../src/platform/embedded-postgres/lock-file.ts';
import { directoryForEachTest, holderArguments, query } from '../../harness/embedded-directory.ts';
import { until } from '../../harness/server-process.ts';

const place = directoryForEachTest();
const { hold, open, postgresPid } = place;

suite('the embedded PostgreSQL', () => {
  test('after kill -9 of the server the next start adopts its PostgreSQL', async () => {
    const server = await hold('server');
    const pid = await postgresPid();
    server.child.kill('SIGKILL');
    await server.exited;
    assert.ok(isPostgresAlive(pid));
    const next = await open('server');
    assert.equal(await postgresPid(), pid);
    await next.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('after kill -9 of both the next start recovers all commits', async () => {
    const server = await hold('server');
    const command = await open('command');
    await query(command.ownerTarget, 'create table kept as select n from generate_series(1, 20000) as n');
    await command.close();
    server.child.kill('SIGKILL');
    process.kill(await postgresPid(), 'SIGKILL');
    await server.exited;
    const next = await open('server');
    assert.deepEqual(await query(next.ownerTarget, 'select count(*)::int from kept'), [20_000]);
    await next.close();
  });

  test('kill -9 during the first start leaves a usable directory', async () => {
    for (const delayMs of [150, 300, 450, 600]) {
      const child = spawn(process.execPath, holderArguments('server', place.dataDir), {
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      await sleep(delayMs);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const next = await open('server');
      assert.deepEqual(await query(next.servers[0], 'select 1'), [1]);
      await next.close();
      assert.deepEqual((await readdir(place.dataDir)).sort(), ['postgres', 'postgres.log']);
      await rm(place.dataDir, { recursive: true });
    }
  });

  test('a killed PostgreSQL is restarted under a running server', async () => {
    const messages: string[] = [];
    const server = await open('server', place.dataDir, (message) => messages.push(message));
    const killed = await postgresPid();
    process.kill(killed, 'SIGKILL');
    await until(() => messages.some((message) => message.endsWith('is back.')), 'PostgreSQL is back');
    assert.deepEqual(await query(server.servers[0], 'select 1'), [1]);
    const pid = await postgresPid();
    assert.notEqual(pid, killed);
    await server.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('closing right after PostgreSQL was killed leaves no process', async () => {
    const server = await open('server');
    process.kill(await postgresPid(), 'SIGKILL');
    await sleep(30);
    await server.close();
    await until(async () => !isPostgresAlive(await postgresPid()), 'PostgreSQL ends');
    await sleep(300);
    assert.ok(!isPostgresAlive(await postgresPid()));
  });

  test('Ctrl-C reaches the server and not its PostgreSQL', async () => {
    const server = await hold('server');
    const pid = await postgresPid();
    assert.ok(server.child.pid);
    process.kill(-server.child.pid, 'SIGINT');
    await server.exited;
    await sleep(100);
    assert.ok(isPostgresAlive(pid));
  });

  test('a stale lock file with a reused process id does not block the start', async () => {
    const first = await open('server');
    const pidFile = join(place.dataDir, 'postgres/postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await first.close();
    const { uid, gid } = await stat(join(place.dataDir, 'postgres'));
    const bystander = spawn('sleep', ['60'], { uid, gid });
    await writeFile(pidFile, text.replace(/^\d+/, String(bystander.pid)));
    await chown(pidFile, uid, gid);
    const next = await open('server');
    await next.close();
    assert.equal(bystander.exitCode, null);
    bystander.kill();
  });
});
