import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { OperatorError } from '../src/base/operator-error.ts';
import type { ConnectionTarget } from '../src/database/connections.ts';
import { findPackage } from '../src/database/embedded-binaries.ts';
import { isPostgresAlive } from '../src/database/embedded-process.ts';
import { openDatabase } from '../src/database/open.ts';

const OPEN_MODULE = fileURLToPath(new URL('../src/database/open.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** A user without a name, as containers have them. */
const namelessUser = { uid: 65533, gid: 65533 };
/** Any user of this machine that root is not and that PostgreSQL does not run as for root; else the one who tests. */
const ordinaryUser: { uid?: number; gid?: number } = isRoot ? await findOrdinaryUser() : {};

async function findOrdinaryUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([, , uid]) => Number(uid) > 0 && Number(uid) < namelessUser.uid);
  assert.ok(found, 'This machine has no ordinary user.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

let base: string;
let dataDir: string;
const children: ChildProcessByStdio<Writable, Readable, null>[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'bestow-embedded-'));
  dataDir = join(base, 'data');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  const pid = await postgresPid();
  if (isPostgresAlive(pid)) {
    process.kill(pid, 'SIGQUIT');
    await until(() => !isPostgresAlive(pid));
  }
  await rm(base, { recursive: true, force: true });
});

const postgresPid = async (directory = dataDir) =>
  Number.parseInt(await readFile(join(directory, 'postgres/postmaster.pid'), 'utf8').catch(() => '0'), 10);

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    if (await isTrue()) return;
    await sleep(20);
  }
  assert.fail('It did not happen within 20 seconds.');
}

const open = (role: 'server' | 'command', directory = dataDir, log?: (message: string) => void) =>
  openDatabase({ databaseUrl: undefined, dataDir: directory }, role, log);

const openUrl = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir }, 'server');

async function query(target: ConnectionTarget, text: string): Promise<unknown[]> {
  const client = new Client(target);
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** One plain sentence, no stack trace in it. */
async function assertRefused(attempt: Promise<unknown>, pattern: RegExp): Promise<void> {
  await assert.rejects(attempt, (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.match(error.message, pattern);
    assert.match(error.message, /^[^\n]+\.$/);
    return true;
  });
}

const HOLD = `
  const [module, role, dataDir] = process.argv.slice(1);
  const { openDatabase } = await import(module);
  try {
    const database = await openDatabase({ databaseUrl: undefined, dataDir }, role);
    console.log('open: ' + database.description);
    process.stdin.on('end', () => database.close().then(() => process.exit(0))).resume();
  } catch (error) {
    console.log('refused: ' + error.message);
    process.exit(1);
  }`;

interface HoldOptions {
  directory?: string;
  node?: string;
  module?: string;
  user?: { uid?: number; gid?: number };
}

/** Another process that opens the database and closes it when its standard input ends; with the first line it said. */
async function hold(role: 'server' | 'command', options: HoldOptions = {}) {
  const { directory = dataDir, node = process.execPath, module = OPEN_MODULE, user = {} } = options;
  const child = spawn(node, ['--input-type=module', '--eval', HOLD, pathToFileURL(module).href, role, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    detached: true,
    ...user,
  });
  children.push(child);
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(child.stdout, 'data'), exited.then(() => ['nothing'])])) as unknown[];
  const close = async () => {
    child.stdin.end();
    await exited;
  };
  return { child, exited, close, line: String(line).trim() };
}

suite('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  test('the first start makes and migrates the database, the second keeps the data and is quick', async () => {
    const first = await open('server');
    assert.equal(first.description, `embedded PostgreSQL 18.4 in ${dataDir}`);
    await query(first.target, 'create table kept as select 7 as figure');
    await first.close();
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    const before = performance.now();
    const second = await open('server');
    assert.ok(performance.now() - before < 1_500);
    assert.deepEqual(await query(second.target, 'select figure from kept'), [7]);
    assert.notEqual((await query(second.target, 'select count(*)::int from schema_migrations'))[0], 0);
    await second.close();
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log']);
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
      assert.deepEqual(await query(database.target, `show ${name}`), [value], name);
    await database.close();
  });

  test('several that open a new data directory at once share one PostgreSQL', async () => {
    const [other, ...databases] = await Promise.all([hold('server'), open('command'), open('command')]);
    assert.match(other.line, /^open: /);
    const starts = await Promise.all(databases.map(({ target }) => query(target, 'select pg_postmaster_start_time()')));
    assert.deepEqual(starts[0], starts[1]);
    const pid = await postgresPid();
    await Promise.all([other.close(), ...databases.map((database) => database.close())]);
    await until(() => !isPostgresAlive(pid));
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log']);
  });

  test('a command beside a server shares its PostgreSQL and stops nothing', async () => {
    const server = await hold('server');
    const pid = await postgresPid();
    const command = await open('command');
    await command.close();
    assert.equal(await postgresPid(), pid);
    assert.ok(isPostgresAlive(pid));
    await server.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('a command that outlives the server keeps PostgreSQL until it is done', async () => {
    const server = await hold('server');
    const command = await open('command');
    await server.close();
    assert.deepEqual(await query(command.target, 'select 1'), [1]);
    const pid = await postgresPid();
    await command.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('a command alone starts PostgreSQL and leaves no process behind', async () => {
    const command = await open('command');
    const pid = await postgresPid();
    assert.ok(isPostgresAlive(pid));
    await command.close();
    assert.ok(!isPostgresAlive(pid));
    assert.equal(await postgresPid(), 0);
  });

  test('opening while the last user is stopping PostgreSQL waits and starts it again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await open('server');
      const [, second] = await Promise.all([first.close(), open('command')]);
      assert.deepEqual(await query(second.target, 'select 1'), [1]);
      await second.close();
    }
  });

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

  test('after kill -9 of the server and of PostgreSQL the next start recovers all that was committed', async () => {
    const server = await hold('server');
    const command = await open('command');
    await query(command.target, 'create table kept as select n from generate_series(1, 20000) as n');
    await command.close();
    server.child.kill('SIGKILL');
    process.kill(await postgresPid(), 'SIGKILL');
    await server.exited;
    const next = await open('server');
    assert.deepEqual(await query(next.target, 'select count(*)::int from kept'), [20_000]);
    await next.close();
  });

  test('kill -9 in the middle of the first start leaves nothing half-made', async () => {
    for (const delayMs of [150, 300, 450, 600]) {
      const child = spawn(
        process.execPath,
        ['--input-type=module', '--eval', HOLD, pathToFileURL(OPEN_MODULE).href, 'server', dataDir],
        { stdio: ['pipe', 'ignore', 'inherit'] },
      );
      await sleep(delayMs);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const next = await open('server');
      assert.deepEqual(await query(next.target, 'select 1'), [1]);
      await next.close();
      assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log']);
      await rm(dataDir, { recursive: true });
    }
  });

  test('PostgreSQL that is killed under a running server comes back by itself', async () => {
    const messages: string[] = [];
    const server = await open('server', dataDir, (message) => messages.push(message));
    const killed = await postgresPid();
    process.kill(killed, 'SIGKILL');
    await until(() => messages.some((message) => message.endsWith('is back.')));
    assert.deepEqual(await query(server.target, 'select 1'), [1]);
    const pid = await postgresPid();
    assert.notEqual(pid, killed);
    await server.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('closing right after PostgreSQL was killed leaves no process behind', async () => {
    const server = await open('server');
    process.kill(await postgresPid(), 'SIGKILL');
    await sleep(30);
    await server.close();
    await until(async () => !isPostgresAlive(await postgresPid()));
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

  test('a second server on the same data directory is refused and disturbs nobody', async () => {
    const first = await hold('server');
    await assertRefused(
      open('server'),
      new RegExp(`^Another Bestow server \\(process ${first.child.pid}\\) is running on DATA_DIR ${dataDir};`),
    );
    const command = await open('command');
    await command.close();
    await first.close();
    assert.equal(await postgresPid(), 0);
  });

  test('a lock file whose number another process has got since does not block the start', async () => {
    const first = await open('server');
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await first.close();
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const bystander = spawn('sleep', ['60'], { uid, gid });
    await writeFile(pidFile, text.replace(/^\d+/, String(bystander.pid)));
    await chown(pidFile, uid, gid);
    const next = await open('server');
    await next.close();
    assert.equal(bystander.exitCode, null);
    bystander.kill();
  });

  test('data of another PostgreSQL version is refused', async () => {
    await (await open('command')).close();
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    await assertRefused(open('server'), /holds data of PostgreSQL 17, but this Bestow brings PostgreSQL 18;/);
  });

  test('a data directory that cannot be used is refused', async () => {
    await writeFile(dataDir, 'a file');
    await assertRefused(open('server'), /^DATA_DIR .* cannot be used \(E\w+\); name a directory/);
    await rm(dataDir);
    await mkdir(join(dataDir, 'postgres/letters'), { recursive: true });
    await assertRefused(open('server'), /holds files but no PostgreSQL data/);
  });

  test('a PostgreSQL that does not start says why and where its log is', async () => {
    await (await open('command')).close();
    await appendFile(join(dataDir, 'postgres/postgresql.conf'), 'nonsense = 1\n');
    await assertRefused(open('server'), /^The embedded PostgreSQL did not start: .*its log is .*postgres\.log\.$/);
    assert.equal(await postgresPid(), 0);
  });

  test('a path too long for a socket works', async () => {
    const long = join(dataDir, ...Array.from({ length: 8 }, () => 'a directory of thirty letters!'));
    const database = await open('server', long);
    assert.deepEqual(await query(database.target, 'select 1'), [1]);
    const command = await hold('command', { directory: long });
    assert.match(command.line, /^open: /);
    await command.close();
    const pid = await postgresPid(long);
    await database.close();
    assert.ok(!isPostgresAlive(pid));
  });

  test('it works under a directory that only this user may enter', async () => {
    await chmod(base, 0o700);
    const database = await open('server');
    assert.deepEqual(await query(database.target, 'select 1'), [1]);
    await database.close();
  });

  test('it works as an ordinary user, and with root on that user’s data', async () => {
    const checkout = await copyCheckout(join(base, 'checkout'));
    await mkdir(dataDir, { mode: 0o700 });
    await chmod(base, 0o755);
    if (isRoot) await promisify(execFile)('chown', [`${ordinaryUser.uid}`, dataDir]);
    const server = await hold('server', { ...checkout, user: ordinaryUser });
    assert.match(server.line, /^open: /);
    await (await open('command')).close();
    await server.close();
    await (await open('command')).close();
    const again = await hold('command', { ...checkout, user: ordinaryUser });
    assert.match(again.line, /^open: /);
    await again.close();
    assert.equal(await postgresPid(), 0);
  });

  test('data of another user is refused in a sentence', async () => {
    const checkout = await copyCheckout(join(base, 'checkout'));
    await chmod(base, 0o755);
    if (isRoot) {
      await mkdir(join(dataDir, 'postgres'), { recursive: true });
      await chmod(dataDir, 0o777);
      const refused = await hold('server', { ...checkout, user: ordinaryUser });
      assert.match(refused.line, /^refused: .*belongs to user 0, not to this one \(\d+\); start Bestow as that user/);
      await chmod(dataDir, 0o700);
    }
    const closed = isRoot ? dataDir : '/root/bestow';
    const refused = await hold('server', { ...checkout, directory: closed, user: ordinaryUser });
    assert.match(refused.line, /^refused: DATA_DIR .* cannot be used \(EACCES\); name a directory/);
  });

  test('a user without a name is told that PostgreSQL refuses it, and root can use its directory', async () => {
    await mkdir(dataDir);
    await chmod(base, 0o755);
    if (isRoot) {
      await chown(dataDir, namelessUser.uid, namelessUser.gid);
      const checkout = await copyCheckout(join(base, 'checkout'), namelessUser.uid);
      const refused = await hold('server', { ...checkout, user: namelessUser });
      assert.match(refused.line, /^refused: .* needs a user with a name, but 65533 is not in \/etc\/passwd;/);
    }
    // Root takes nobody instead.
    await (await open('server')).close();
  });

  test('a platform without binaries is told to set DATABASE_URL', () => {
    assert.throws(
      () => findPackage('sunos', 'sparc'),
      /^Error: There is no embedded PostgreSQL .*sunos-sparc.*DATABASE_URL/,
    );
  });
});

/** What opening a database needs, where every user can read it. */
async function copyCheckout(directory: string, owner = ordinaryUser.uid): Promise<{ node: string; module: string }> {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const module = join(directory, 'server/src/database/open.ts');
  const node = join(directory, 'node');
  await cp(source, join(directory, 'server/src'), { recursive: true });
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await cp(process.execPath, node);
  const binaries = findPackage(process.platform, process.arch);
  const modules = dirname(dirname(binaries));
  for (const name of await readdir(modules))
    if (/^(pg|pg-.+|pgpass|postgres-.+|split2|xtend)$/.test(name))
      await cp(join(modules, name), join(directory, 'node_modules', name), { recursive: true });
  const copiedBinaries = join(directory, 'node_modules', relative(modules, binaries));
  await cp(binaries, copiedBinaries, { recursive: true, verbatimSymlinks: true });
  // As where npm was not allowed to run the package's install script, which makes the links.
  for (const { target } of JSON.parse(await readFile(join(binaries, 'native/pg-symlinks.json'), 'utf8')))
    await rm(join(copiedBinaries, target));
  if (isRoot) await promisify(execFile)('chown', ['-R', `${owner}`, directory]);
  return { node, module };
}

suite('DATABASE_URL', { timeout: 60_000 }, () => {
  /** A PostgreSQL that asks for passwords, and its address without user and database. */
  async function openWithPasswords() {
    const database = await open('command');
    const socket = encodeURIComponent(join(dataDir, 'postgres'));
    await query(database.target, "create role visitor login password 'right'");
    await writeFile(join(dataDir, 'postgres/pg_hba.conf'), 'local all bestow trust\nlocal all all scram-sha-256\n');
    await query(database.target, 'select pg_reload_conf()');
    return { database, url: (user: string, name: string) => `postgres://${user}@${socket}/${name}` };
  }

  test('a database that it names is migrated, described without its password and not stopped', async () => {
    const { database, url } = await openWithPasswords();
    await query(database.target, 'create database theirs owner visitor');
    const theirs = await openUrl(url('visitor:right', 'theirs'));
    assert.match(theirs.description, /^PostgreSQL 18\.4 at .*:5432\/theirs$/);
    assert.doesNotMatch(theirs.description, /right/);
    await theirs.close();
    assert.deepEqual(await query(theirs.target, 'select count(*) > 0 from schema_migrations'), [true]);
    await database.close();
  });

  test('a wrong password, a missing database, a missing right are refused in a sentence', async () => {
    const { database, url } = await openWithPasswords();
    await assertRefused(openUrl(url('visitor:wrong', 'bestow')), /^The database .* refuses the user or the password;/);
    await assertRefused(openUrl(url('bestow', 'nowhere')), /nowhere\) does not exist; create it/);
    await query(database.target, 'create database closed');
    await assertRefused(openUrl(url('visitor:right', 'closed')), /does not allow this user to make its tables;/);
    await database.close();
  });

  test('an address where nothing listens, nothing answers or something else answers is refused', async () => {
    await assertRefused(
      openUrl('postgres://u:secret@127.0.0.1:1/d'),
      /^The database of DATABASE_URL \(127\.0\.0\.1:1\/d\) cannot be reached: nothing/,
    );
    await assertRefused(openUrl('postgres://u:secret@%2Fnowhere/d'), /cannot be reached: there is no such socket;/);
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
});
