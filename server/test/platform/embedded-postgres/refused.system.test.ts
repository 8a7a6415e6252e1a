import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { findPackage } from '../../../src/platform/embedded-postgres/binaries.ts';
import { assertRefused, directoryForEachTest } from '../../harness/embedded-directory.ts';
import { bestow } from '../../harness/server-process.ts';

const place = directoryForEachTest();
const { hold, open, postgresPid } = place;

suite('the embedded PostgreSQL', () => {
  test('a second server on the same data directory is refused', async () => {
    const first = await hold('server');
    await assertRefused(
      open('server'),
      new RegExp(`^Another Bestow server \\(process ${first.child.pid}\\) is running on DATA_DIR ${place.dataDir};`),
    );
    const command = await open('command');
    await command.close();
    await first.close();
    assert.equal(await postgresPid(), 0);
  });

  test('data of another PostgreSQL version is refused', async () => {
    await (await open('command')).close();
    await writeFile(join(place.dataDir, 'postgres/PG_VERSION'), '17\n');
    await assertRefused(open('server'), /holds data of PostgreSQL 17, but this Bestow brings PostgreSQL 18;/);
  });

  test('a data directory that cannot be used is refused', async () => {
    await writeFile(place.dataDir, 'a file');
    await assertRefused(open('server'), /^DATA_DIR .* cannot be used \(E\w+\); name a directory/);
    await rm(place.dataDir);
    await mkdir(join(place.dataDir, 'postgres/letters'), { recursive: true });
    await assertRefused(open('server'), /holds files but no PostgreSQL data/);
  });

  test('only migrate and serve create a database; other commands refuse', async () => {
    const create = ['org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.example'];
    const commands = [['ledger', 'verify'], ['doctor'], ['org', 'list'], create, ['outbox', 'list'], ['worker']];
    for (const isThere of [false, true]) {
      if (isThere) await mkdir(join(place.dataDir, 'postgres'), { recursive: true });
      for (const args of isThere ? commands.slice(0, 1) : commands) {
        const { code, stdout, stderr } = await bestow(args, { DATA_DIR: place.dataDir, LOG_LEVEL: 'silent' }).ended;
        const sentence = `DATA_DIR ${place.dataDir} holds no data of Bestow; correct DATA_DIR, or let bestow migrate or bestow serve make a new database there.\n`;
        assert.deepEqual([args, code, stdout, stderr], [args, 1, '', sentence]);
      }
      assert.deepEqual(await readdir(place.base, { recursive: true }), isThere ? ['data', 'data/postgres'] : []);
    }
    assert.equal((await bestow(['migrate'], { DATA_DIR: place.dataDir }).ended).code, 0);
    assert.equal((await bestow(['ledger', 'verify'], { DATA_DIR: place.dataDir }).ended).code, 0);
  });

  test('a PostgreSQL that does not start gives the reason and its log', async () => {
    await (await open('command')).close();
    await appendFile(join(place.dataDir, 'postgres/postgresql.conf'), 'nonsense = 1\n');
    await assertRefused(open('server'), /^The embedded PostgreSQL did not start: .*its log is .*postgres\.log\.$/);
    assert.equal(await postgresPid(), 0);
  });

  test('a platform without binaries is asked to set DATABASE_URL', () => {
    assert.throws(
      () => findPackage('sunos', 'sparc'),
      /^Error: There is no embedded PostgreSQL .*sunos-sparc.*DATABASE_URL/,
    );
  });
});
