import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCommandLine, spawnBestow } from '../../harness/command-line.ts';
import { temporaryDirectory } from '../../harness/server-process.ts';

// Exit codes, pipes and a terminal need child processes; the other tests run commands in process.

const { json, target } = openCommandLine();
/** Runs the words at a pseudo terminal. */
const TERMINAL = 'script -qec "$*" /dev/null';

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

test('at a terminal, no, Enter, the end and Ctrl-C change nothing, and yes goes on', async () => {
  const { organization_id: id } = await createOrganization();
  const isSuspended = async () => (await json('org', 'show', id)).suspended_at !== null;
  for (const [answer, expected] of [
    ['no\n', 1],
    ['\n', 1],
    ['yess\n', 1],
    ['\u0004', 130],
    ['\u0003', 130],
  ] as const) {
    const { code, stdout } = await spawnBestow(target(), ['org', 'suspend', id], { shell: TERMINAL, answer });
    assert.equal(code, expected, `${JSON.stringify(answer)}: ${stdout}`);
    assert.match(stdout, /Suspend Acme \(org_\w+\)\? Its 0 keys are refused at once.* \[y\/N\] /s);
    assert.match(stdout, /Nothing was changed\.\r?\n$/);
    assert.equal(await isSuspended(), false);
  }
  for (const answer of ['y\n', 'YES\n']) {
    assert.equal((await spawnBestow(target(), ['org', 'suspend', id], { shell: TERMINAL, answer })).code, 0);
    assert.equal(await isSuspended(), true);
    await json('org', 'reinstate', id, '--release-gifts');
  }
});

test('with --json at a terminal, the question is on standard error only', async (t) => {
  const { organization_id: id } = await createOrganization();
  const file = join(await temporaryDirectory(t), 'out.json');
  const shell = `script -qec "$* > ${file}" /dev/null`;
  const { code } = await spawnBestow(target(), ['org', 'suspend', id, '--json'], { shell, answer: 'y\n' });
  assert.equal(code, 0);
  assert.ok(JSON.parse(await readFile(file, 'utf8')).suspended_at);
});

test('long work shows at a terminal what it does, and elsewhere nothing', async () => {
  const shown = await spawnBestow(target(), ['ledger', 'verify'], { shell: TERMINAL });
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, /\r.\[KVerifying the ledger, 0 s/);
  assert.match(shown.stdout, /\r.\[KVerifying the ledger: \w[^\r]*, \d+ s\r/);
  const { code, stderr } = await spawnBestow(target(), ['ledger', 'verify']);
  assert.deepEqual([code, stderr], [0, '']);
});
