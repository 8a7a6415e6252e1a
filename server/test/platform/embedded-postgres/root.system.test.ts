import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, link, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { mayReach } from '../../../src/platform/embedded-postgres/account.ts';
import { directoryForEachTest, query } from '../../harness/embedded-directory.ts';
import { findOrdinaryUser } from '../../harness/ordinary-user.ts';
import { bestow, serve } from '../../harness/server-process.ts';

const SHARED_UID = 65534;
const skip = process.getuid?.() === 0 ? false : 'Only root can try what root is tempted to do.';
const anyone = { uid: 65533, gid: 65533, name: '' };
const isPrivate = !(await mayReach(anyone, import.meta.filename)) || !(await mayReach(anyone, process.execPath));
const place = directoryForEachTest();
const { open } = place;
const run = promisify(execFile);

/** A directory of another user, with a file, that looks like PostgreSQL's. */
async function makeVictim(uid: number) {
  const directory = join(place.base, 'victim');
  const file = join(directory, 'PG_VERSION');
  await mkdir(directory);
  await writeFile(file, '18\n', { mode: 0o640 });
  for (const path of [directory, file]) await chown(path, uid, uid);
  const look = async () =>
    await Promise.all([directory, file].map(async (path) => ((each) => [each.uid, each.mode])(await stat(path))));
  const before = await look();
  return { directory, file, assertUnchanged: async () => assert.deepEqual(await look(), before) };
}

const verify = () => bestow(['ledger', 'verify'], { DATA_DIR: place.dataDir, LOG_LEVEL: 'silent' }).ended;

async function userOf(pid: number | undefined): Promise<string | undefined> {
  return /^Uid:\t(.*)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]?.replaceAll('\t', ' ');
}

suite('started as root', { skip }, () => {
  test('follows no link that the owner of DATA_DIR put there', async () => {
    const { uid, gid } = await findOrdinaryUser();
    const victim = await makeVictim(0);
    await chmod(place.base, 0o755);
    await mkdir(place.dataDir, { mode: 0o700 });
    await symlink(victim.directory, join(place.dataDir, 'postgres'));
    await chown(place.dataDir, uid, gid);
    assert.notEqual((await verify()).code, 0);
    await victim.assertUnchanged();
    await assert.rejects(open('command'), /must be a directory: root follows no link there/);
    await victim.assertUnchanged();
  });

  test('follows no link in a DATA_DIR of root', async () => {
    const victim = await makeVictim(SHARED_UID);
    await chmod(place.base, 0o755);
    await mkdir(place.dataDir, { mode: 0o700 });
    await symlink(victim.directory, join(place.dataDir, 'postgres'));
    assert.match((await verify()).stderr, /postgres must be a directory: root follows no link there/);
    await victim.assertUnchanged();
  });

  test('changes no owner outside when it takes data over', async () => {
    const victim = await makeVictim(SHARED_UID);
    await chmod(place.base, 0o755);
    await (await open('command')).close();
    const data = join(place.dataDir, 'postgres');
    await run('chown', ['-R', `${SHARED_UID}`, data]);
    await symlink(victim.directory, join(data, 'linked'));
    assert.equal((await verify()).code, 0);
    await victim.assertUnchanged();
    assert.notEqual((await lstat(join(data, 'linked'))).uid, SHARED_UID);
    await rm(join(data, 'linked'));
    await run('chown', ['-R', `${SHARED_UID}`, data]);
    await chown(place.dataDir, 0, 0);
    await link(victim.file, join(data, 'second'));
    assert.match((await verify()).stderr, /has a second name and keeps its owner/);
    await victim.assertUnchanged();
  });

  test('runs as the owner of DATA_DIR, or else as the user bestow', async (t) => {
    if (isPrivate) return t.skip('Only root may read this checkout.');
    const { uid, gid } = await findOrdinaryUser();
    const { stdout } = await run('getent', ['passwd', 'bestow']).catch(() => ({ stdout: '' }));
    for (const owner of [uid, undefined]) {
      await chmod(place.base, 0o755);
      if (owner !== undefined) {
        await mkdir(place.dataDir, { mode: 0o700 });
        await chown(place.dataDir, owner, gid);
      }
      const server = serve(place.dataDir, { DEMO: '0', LOG_LEVEL: 'silent' });
      const { text } = await server.ready();
      const expected = owner ?? Number((stdout || (await run('getent', ['passwd', 'bestow'])).stdout).split(':')[2]);
      const ids = Array.from({ length: 4 }, () => expected).join(' ');
      assert.deepEqual([await userOf(server.child.pid), await userOf(await place.postgresPid())], [ids, ids]);
      assert.notEqual(expected, SHARED_UID);
      // The person who started it reads what was made and changed.
      const changes = [...text.matchAll(/^ +Started as root +(.*)$/gm)].map(([, change]) => change);
      const name = (await run('getent', ['passwd', `${expected}`])).stdout.split(':', 1)[0];
      const made = stdout === '' ? [`made the user ${name}`] : [];
      const given = [...made, `gave ${place.dataDir} to the user ${name}`];
      assert.deepEqual(changes, [...(owner === undefined ? given : []), `goes on as the user ${name}`]);
      for (const name of ['postgres', 'postgres.log', 'link-secret'])
        assert.equal((await stat(join(place.dataDir, name))).uid, expected);
      server.signal('SIGTERM');
      assert.equal((await server.ended).code, 0);
      await rm(place.dataDir, { recursive: true });
    }
  });

  test('gives data of an earlier release, which ran as a shared user, its own user', async () => {
    await chmod(place.base, 0o755);
    await (await open('command')).close();
    await run('chown', ['-R', `${SHARED_UID}:${SHARED_UID}`, join(place.dataDir, 'postgres')]);
    assert.equal((await verify()).code, 0);
    for (const path of [...(isPrivate ? [] : ['']), 'postgres', 'postgres/PG_VERSION', 'postgres/base'])
      assert.ok(![0, SHARED_UID].includes((await stat(join(place.dataDir, path))).uid), path);
  });

  test('admits only the data’s user and root, also to data of an earlier release', async () => {
    await (await open('command')).close();
    await writeFile(join(place.dataDir, 'postgres/pg_hba.conf'), 'local all all trust\n');
    const database = await open('server');
    assert.deepEqual(await query(database.ownerTarget, 'select current_user::text'), ['bestow']);
    // As if the modes of the directories did not keep others out.
    for (const path of ['..', '.', 'postgres', 'postgres/.s.PGSQL.5432'])
      await chmod(join(place.dataDir, path), path.endsWith('5432') ? 0o777 : 0o755);
    const client = `const { Client } = await import(process.argv[1]);
      const client = new Client({ host: process.argv[2], port: 5432, user: 'bestow', database: 'bestow' });
      await client.connect().then(() => console.log('admitted'), (error) => console.log(error.message));
      process.exit(0);`;
    const args = ['--input-type=module', '-e', client, import.meta.resolve('pg'), join(place.dataDir, 'postgres')];
    const { stdout } = await run(process.execPath, args, { uid: SHARED_UID, gid: SHARED_UID, cwd: '/' });
    assert.match(stdout, /^Peer authentication failed for user "bestow"/);
    await chmod(join(place.dataDir, 'postgres'), 0o700);
    await database.close();
  });
});
