import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { findPackage } from '../src/database/embedded-binaries.ts';
import { assertRefused, directoryForEachTest } from './harness/embedded-directory.ts';

const place = directoryForEachTest();
const { hold, open, postgresPid } = place;

suite('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  test('a second server on the same data directory is refused and disturbs nobody', async () => {
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

  test('a PostgreSQL that does not start says why and where its log is', async () => {
    await (await open('command')).close();
    await appendFile(join(place.dataDir, 'postgres/postgresql.conf'), 'nonsense = 1\n');
    await assertRefused(open('server'), /^The embedded PostgreSQL did not start: .*its log is .*postgres\.log\.$/);
    assert.equal(await postgresPid(), 0);
  });

  test('a platform without binaries is told to set DATABASE_URL', () => {
    assert.throws(
      () => findPackage('sunos', 'sparc'),
      /^Error: There is no embedded PostgreSQL .*sunos-sparc.*DATABASE_URL/,
    );
  });
});
