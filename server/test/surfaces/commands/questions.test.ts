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

test('a sandbox is deleted only after y or yes', async () => {
  const org = await create('Acme');
  await json('sandbox', 'create', '--org', org);
  const args = ['sandbox', 'delete', '--org', org];
  await assertRefused(
    /of Acme \(org_.* cannot be undone\. Nothing was changed; add --yes to skip the question\.\n$/,
    args,
  );
  for (const answer of ['\n', 'n\n', 'Acme\n']) {
    const declined = await bestow(args, terminal(answer));
    assert.deepEqual([declined.code, declined.stdout], [1, '']);
    assert.match(declined.stderr, /Nothing was changed\.\n$/);
  }
  const deleted = await bestow(args, terminal('y\n'));
  assert.deepEqual([deleted.code, /orders deleted/.test(deleted.stdout)], [0, true]);
});

test('what is revoked already is revoked again without a question', async () => {
  const org = await create('keys');
  const key = await json('key', 'create', '--org', org, '--environment', 'live', '--name', 'Web shop');
  await assertRefused(/^Revoke the live key “Web shop” .*; add --yes/, ['key', 'revoke', key.key_id]);
  assert.equal((await bestow(['key', 'revoke', key.key_id], terminal('yes\n'))).code, 0);
  assert.equal((await bestow(['key', 'revoke', key.key_id])).code, 0);
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
  assert.ok(stderr.includes('key “Web\\u202e shop\\u2066”'), stderr);
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
  await assertRefused(/^Add 10,000,000\.01 USD \(1000000001 cents\) to the live .* far beyond .*; add --yes/, args);
  assert.equal((await bestow(args, terminal('no\n'))).code, 1);
  assert.equal((await bestow(args, terminal('y\n'))).code, 0);
  await json(...add('live', 90_000_000_000), '--yes');
});

test('the end of a question changes nothing and exits with 130', async () => {
  const org = await create('ended');
  await json('sandbox', 'create', '--org', org);
  const ended = await bestow(['sandbox', 'delete', '--org', org], terminal(''));
  assert.deepEqual([ended.code, ended.stdout], [130, '']);
  assert.match(ended.stderr, / \[y\/N\] \nNothing was changed\.\n$/);
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

test('what gives, or takes nothing from this one, is done without a question', async () => {
  const org = await create('gives');
  const live = ['--org', org, '--environment', 'live'];
  await json('balance', 'adjust', ...live, '--amount', '500', '--note', 'Found');
  await json('cap', 'set', ...live, '--day', '500', '--yes');
  await json('cap', 'set', ...live, '--day', '900');
  await json('cap', 'set', ...live, '--day', 'off');
  const bob = await json('member', 'add', '--org', org, '--email', 'bob@acme.test', '--role', 'viewer');
  await json('member', 'role', bob.member_id, '--role', 'admin');
  await json('member', 'deactivate', bob.member_id, '--yes');
  await json('member', 'deactivate', bob.member_id);
  const { endpoint_id } = await json('webhook', 'add', 'https://shop.example/in', ...live, '--type', 'gift.claimed');
  await json('webhook', 'edit', endpoint_id, '--all-types');
  await json('webhook', 'edit', endpoint_id, '--url', 'https://shop.example/in');
  await assertRefused(/Its address gets no more events/, [
    'webhook',
    'edit',
    endpoint_id,
    '--url',
    'https://b.example/',
  ]);
});

test('a question names what is lost', async () => {
  const org = await create('named');
  const live = ['--org', org, '--environment', 'live'];
  await json('key', 'create', ...live, '--name', 'Shop');
  await assertRefused(/^Suspend named \(org_\w+\)\? Its key is refused at once, .* and its unclaimed/, [
    'org',
    'suspend',
    org,
  ]);
  await assertRefused(/gifts can still be claimed/, ['org', 'suspend', org, '--no-hold-gifts']);
  await json('cap', 'set', ...live, '--day', '50000', '--yes');
  const lower = ['cap', 'set', ...live, '--day', '40000', '--hour', '30000'];
  await assertRefused(
    /^Lower the caps of all live orders of named .*: hour to 300\.00 USD, day to 400\.00 USD\?/,
    lower,
  );
  const adjust = ['balance', 'adjust', ...live, '--amount', '-2500', '--note', 'Wrong'];
  await assertRefused(/^Take 25\.00 USD \(2500 cents\) from the live balance of named \(org_/, adjust);
  const [{ member_id }] = await json('member', 'list', '--org', org);
  await assertRefused(/^Reset the sign-in of named@acme\.test, admin of named/, ['member', 'reset-sign-in', member_id]);
});
