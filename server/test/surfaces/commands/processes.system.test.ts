import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCommandLine, spawnBestow } from '../../harness/command-line.ts';

// Exit codes, pipes and a terminal need child processes; the other tests run commands in process.

const { json, target } = openCommandLine();

const createOrganization = () => json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');

test('the process exits with the command’s exit code', async () => {
  for (const [args, expected] of [
    [['org', 'list'], 0],
    [['--help'], 0],
    [['member', 'activate', 'x'], 1],
    [['unknown'], 2],
  ] as const)
    assert.equal((await spawnBestow(target(), [...args])).code, expected, args.join(' '));
});

test('fails if a key cannot be shown, and names the key', async () => {
  const { organization_id: id } = await createOrganization();
  const create = ['key', 'create', '--org', id, '--environment', 'live', '--name', 'Web'];
  const unseen = /^The key was created but could not be shown\. Revoke it with (bestow key revoke key_\w{26})\.\n$/;
  const toFullDisk = { shell: '"$@" > /dev/full' };
  for (const { code, stderr } of [
    await spawnBestow(target(), create, toFullDisk),
    await spawnBestow(target(), [...create, '--json'], toFullDisk),
    await spawnBestow(target(), create, { isRead: false }),
  ]) {
    assert.equal(code, 1);
    const [, revoke = ''] = unseen.exec(stderr) ?? assert.fail(stderr);
    assert.ok((await json(...revoke.split(' ').slice(1), '--yes')).revoked_at);
  }
});

test('fails if the result cannot be written, except if the reader stops early', async () => {
  const { organization_id: id } = await createOrganization();
  const full = await spawnBestow(target(), ['key', 'list', '--org', id], { shell: '"$@" > /dev/full' });
  assert.equal(full.code, 1);
  assert.match(full.stderr, /^Cannot write the result to standard output \(ENOSPC\)[^\n]+\.\n$/);
  const unread = await spawnBestow(target(), ['key', 'list', '--org', id], { isRead: false });
  assert.deepEqual([unread.code, unread.stderr], [0, '']);
  const entries = ['export', 'entries', '--org', id, '--environment', 'live'];
  const exported = await spawnBestow(target(), entries, { isRead: false });
  assert.deepEqual([exported.code, exported.stderr], [0, '']);
});

test('recipient erase asks at a terminal', async () => {
  const args = ['recipient', 'erase', '--email', 'ada@example.com'];
  const { code, stdout } = await spawnBestow(target(), args, { shell: 'script -qec "$*" /dev/null' });
  assert.equal(code, 1, stdout);
  assert.match(stdout, /to continue: /);
  assert.match(stdout, /Nothing was changed\./);
});
