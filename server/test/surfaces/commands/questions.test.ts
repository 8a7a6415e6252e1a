import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { openCommandLine } from '../../harness/command-line.ts';

// What the command asks before it does what cannot be taken back.

const { assertRefused, bestow, json, target } = openCommandLine();
const terminal = (input: string) => ({ input, isTerminal: true });

async function create(name: string): Promise<string> {
  const { organization_id } = await json('org', 'create', '--name', name, '--admin-email', `${name}@acme.test`);
  return organization_id;
}

test('a sandbox is deleted only if the name of its organization is typed', async () => {
  const org = await create('Acme');
  await json('sandbox', 'create', '--org', org);
  const args = ['sandbox', 'delete', '--org', org];
  await assertRefused(/of Acme \(org_.* cannot be undone\. Add --yes to skip the question\.\n$/, args);
  for (const answer of ['yes\n', 'acme\n']) {
    const declined = await bestow(args, terminal(answer));
    assert.deepEqual([declined.code, declined.stdout], [1, '']);
    assert.match(declined.stderr, /Nothing was changed\.\n$/);
  }
  const deleted = await bestow(args, terminal('Acme\n'));
  assert.deepEqual([deleted.code, /orders deleted/.test(deleted.stdout)], [0, true]);
});

test('a key is revoked after its name, and a sign-in is reset after the address', async () => {
  const org = await create('keys');
  const key = await json('key', 'create', '--org', org, '--environment', 'live', '--name', 'Web shop');
  await assertRefused(/live key .*\. Add --yes/, ['key', 'revoke', key.key_id]);
  assert.equal((await bestow(['key', 'revoke', key.key_id], terminal('Web shop\n'))).code, 0);
  // It is revoked already.
  assert.equal((await bestow(['key', 'revoke', key.key_id])).code, 0);
  const [{ member_id, email }] = await json('member', 'list', '--org', org);
  const reset = ['member', 'reset-sign-in', member_id];
  await assertRefused(/sign in as keys@acme\.test/, reset);
  assert.equal((await bestow(reset, terminal(`${email}\n`))).code, 0);
});

test('a question shows a name without anything that steers the terminal', async () => {
  const org = await create('steered');
  const key = await json('key', 'create', '--org', org, '--environment', 'live', '--name', 'Web shop');
  // As it could be named before such letters were refused.
  const client = new Client(target());
  await client.connect();
  await client.query('update api_keys set name = $1 where key_id = $2', [
    'Web\u202e shop\u2066',
    decodeId('key', key.key_id),
  ]);
  await client.end();
  const { stderr } = await bestow(['key', 'revoke', key.key_id], terminal('no\n'));
  assert.ok(stderr.includes('Type Web\\u202e shop\\u2066 to continue: '), stderr);
});

test('an amount far beyond the usual is asked for, in live only', async () => {
  const org = await create('funds');
  const add = (environment: string, amount: number) => [
    'balance',
    'add',
    '--org',
    org,
    '--environment',
    environment,
    '--amount',
    `${amount}`,
  ];
  await json('sandbox', 'create', '--org', org);
  await json(...add('sandbox', 90_000_000_000));
  await json(...add('live', 10_000_000));
  await json(...add('live', 100_000_000));
  const args = add('live', 1_000_000_001);
  await assertRefused(/^10,000,000\.01 USD \(1000000001 cents\) is far beyond what funds .* Add --yes/, args);
  assert.equal((await bestow(args, terminal('no\n'))).code, 1);
  assert.equal((await bestow(args, terminal('funds\n'))).code, 0);
  await json(...add('live', 90_000_000_000), '--yes');
});

test('the end of a question changes nothing and exits with 130', async () => {
  const org = await create('ended');
  await json('sandbox', 'create', '--org', org);
  const ended = await bestow(['sandbox', 'delete', '--org', org], terminal(''));
  assert.deepEqual([ended.code, ended.stdout], [130, '']);
  assert.match(ended.stderr, /Type ended to continue: \nNothing was changed\.\n$/);
  assert.deepEqual((await json('sandbox', 'delete', '--org', org, '--yes')).organization_id, org);
});

test('a secret at a terminal ends with Enter, and Ctrl-C leaves quietly', async () => {
  const org = await create('secret');
  const args = ['key', 'import', '--org', org, '--environment', 'live', '--name', 'Old'];
  const imported = await bestow(args, terminal('sk_live_0123456789abcdef\r'));
  assert.deepEqual([imported.code, /Then press Enter/.test(imported.stderr)], [0, true]);
  assert.doesNotMatch(imported.stderr + imported.stdout, /0123456789/);
  const left = await bestow(args, terminal('\u0003'));
  assert.deepEqual([left.code, /Nothing was changed\.\n$/.test(left.stderr)], [130, true]);
});

test('a repeated reference says that nothing is changed, and prints the same', async () => {
  const org = await create('again');
  const add = ['balance', 'add', '--org', org, '--environment', 'live', '--amount', '500', '--reference', 'invoice-1'];
  const [first, second] = [await bestow(add), await bestow(add)];
  assert.deepEqual([first.code, first.stderr, second.code], [0, '', 0]);
  assert.equal(second.stdout, first.stdout);
  assert.equal(second.stderr, 'Already added: an entry has the reference “invoice-1”. Nothing is changed.\n');
  assert.deepEqual((await json(...add)).balance, 500);
});
