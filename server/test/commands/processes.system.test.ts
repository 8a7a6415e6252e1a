import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCommandLine, spawnBestow } from '../harness/command-line.ts';

// What only a process can show: exit codes, pipes and a terminal. The other tests run commands in their own process.

const { json, target } = openCommandLine();

const createOrganization = () => json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');

test('a process ends with the exit code of its command', async () => {
  for (const [args, expected] of [
    [['org', 'list'], 0],
    [['--help'], 0],
    [['member', 'activate', 'x'], 1],
    [['unknown'], 2],
  ] as const)
    assert.equal((await spawnBestow(target(), [...args])).code, expected, args.join(' '));
});

test('a key that cannot be shown is named for revocation, and its command fails', async () => {
  const { organization_id: id } = await createOrganization();
  const create = ['key', 'create', '--org', id, '--environment', 'live', '--name', 'Web'];
  const unseen = /^The key was created but could not be shown, .*(bestow key revoke key_\w{26})\.\n$/;
  const toFullDisk = { shell: '"$@" > /dev/full' };
  for (const { code, stderr } of [
    await spawnBestow(target(), create, toFullDisk),
    await spawnBestow(target(), [...create, '--json'], toFullDisk),
    await spawnBestow(target(), create, { isRead: false }),
  ]) {
    assert.equal(code, 1);
    const [, revoke = ''] = unseen.exec(stderr) ?? assert.fail(stderr);
    assert.ok((await json(...revoke.split(' ').slice(1))).revoked_at);
  }
});

test('a result that cannot be written fails, and a reader that stops early does not', async () => {
  const { organization_id: id } = await createOrganization();
  const full = await spawnBestow(target(), ['key', 'list', '--org', id], { shell: '"$@" > /dev/full' });
  assert.equal(full.code, 1);
  assert.match(full.stderr, /^The result cannot be written to standard output \(ENOSPC\)[^\n]+\.\n$/);
  const unread = await spawnBestow(target(), ['key', 'list', '--org', id], { isRead: false });
  assert.deepEqual([unread.code, unread.stderr], [0, '']);
});

test('an erasure asks at a terminal', async () => {
  const args = ['recipient', 'erase', '--email', 'ada@example.com'];
  const { code, stdout } = await spawnBestow(target(), args, { shell: 'script -qec "$*" /dev/null' });
  assert.equal(code, 1, stdout);
  assert.match(stdout, /go on: /);
  assert.match(stdout, /Nothing was changed\./);
});
