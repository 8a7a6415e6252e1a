import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPackage } from '../../../src/platform/embedded-postgres/binaries.ts';
import { directoryForEachTest, query } from '../../harness/embedded-directory.ts';
import { findOrdinaryUser } from '../../harness/ordinary-user.ts';
import { bestow } from '../../harness/server-process.ts';

const isRoot = process.getuid?.() === 0;
/** A user without a name, as containers have them. */
const namelessUser = { uid: 65533, gid: 65533 };
/** Undefined if this is an ordinary user. */
const ordinaryUser: { uid?: number; gid?: number } = isRoot ? await findOrdinaryUser() : {};

const place = directoryForEachTest();
const { hold, open, postgresPid } = place;

suite('the embedded PostgreSQL', () => {
  test('works under a directory that only this user may enter', async () => {
    await chmod(place.base, 0o700);
    const database = await open('server');
    assert.deepEqual(await query(database.servers[0], 'select 1'), [1]);
    await database.close();
  });

  test('works as an ordinary user, and as root on that user’s data', async () => {
    const checkout = await copyCheckout(join(place.base, 'checkout'));
    await mkdir(place.dataDir, { mode: 0o700 });
    await chmod(place.base, 0o755);
    if (isRoot) await promisify(execFile)('chown', [`${ordinaryUser.uid}`, place.dataDir]);
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

  test('refuses data of another user in one sentence', async () => {
    const checkout = await copyCheckout(join(place.base, 'checkout'));
    await chmod(place.base, 0o755);
    if (isRoot) {
      await mkdir(join(place.dataDir, 'postgres'), { recursive: true });
      await chmod(place.dataDir, 0o777);
      const refused = await hold('server', { ...checkout, user: ordinaryUser });
      assert.match(refused.line, /^refused: .*belongs to user 0, not to this one \(\d+\); start Bestow as that user/);
      await chmod(place.dataDir, 0o700);
    }
    const closed = isRoot ? place.dataDir : '/root/bestow';
    const refused = await hold('server', { ...checkout, directory: closed, user: ordinaryUser });
    assert.match(refused.line, /^refused: DATA_DIR .* cannot be used \(EACCES\); name a directory/);
  });

  test('a user without a name is refused; root can use its directory', async (t) => {
    await mkdir(place.dataDir);
    await chmod(place.base, 0o755);
    if (isRoot) {
      await chown(place.dataDir, namelessUser.uid, namelessUser.gid);
      const checkout = await copyCheckout(join(place.base, 'checkout'), namelessUser.uid);
      const refused = await hold('server', { ...checkout, user: namelessUser });
      assert.match(refused.line, /^refused: .* needs a user with a name, but 65533 is not in \/etc\/passwd;/);
    }
    // Root gives the user a name.
    t.after(() => (isRoot ? promisify(execFile)('userdel', [`bestow-${namelessUser.uid}`]) : undefined));
    const { code, stderr } = await bestow(['migrate'], { DATA_DIR: place.dataDir }).ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal((await stat(join(place.dataDir, 'postgres'))).uid, isRoot ? namelessUser.uid : process.getuid?.());
  });
});

async function withDependencies(modules: string, names: string[], found = new Set<string>()): Promise<Set<string>> {
  for (const name of names.filter((each) => !found.has(each))) {
    found.add(name);
    const { dependencies = {} } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'));
    await withDependencies(modules, Object.keys(dependencies), found);
  }
  return found;
}

/** Copies the code that opens a database to a place that every user can read. */
async function copyCheckout(directory: string, owner = ordinaryUser.uid): Promise<{ node: string; module: string }> {
  const source = fileURLToPath(new URL('../../../src', import.meta.url));
  const module = join(directory, 'server/src/platform/installation/open-database.ts');
  const node = join(directory, 'node');
  await cp(source, join(directory, 'server/src'), { recursive: true });
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await cp(process.execPath, node);
  const binaries = findPackage(process.platform, process.arch);
  const modules = dirname(dirname(binaries));
  for (const name of await withDependencies(modules, ['pg', 'pg-boss']))
    await cp(join(modules, name), join(directory, 'node_modules', name), { recursive: true });
  const copiedBinaries = join(directory, 'node_modules', relative(modules, binaries));
  await cp(binaries, copiedBinaries, { recursive: true, verbatimSymlinks: true });
  // As if npm had not run the package's install script, which makes the links.
  for (const { target } of JSON.parse(await readFile(join(binaries, 'native/pg-symlinks.json'), 'utf8')))
    await rm(join(copiedBinaries, target));
  if (isRoot) await promisify(execFile)('chown', ['-R', `${owner}`, directory]);
  return { node, module };
}
