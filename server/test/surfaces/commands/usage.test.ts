import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { openCommandLine, UNKNOWN_ORGANIZATION } from '../../harness/command-line.ts';

const { assertRefused, bestow, json } = openCommandLine();

test('refuses an unknown id in one sentence', async () => {
  const id = UNKNOWN_ORGANIZATION;
  for (const args of [
    ['org', 'suspend', id],
    ['org', 'reinstate', id],
    ['balance', 'show', '--org', 'mem_01h455vb4pex5vsknk084sn02q'],
    ['key', 'list', '--org', id.toUpperCase()],
  ])
    await assertRefused(/^There is no organization \S+\.\n$/, args);
  await assertRefused(/^There is no member x\.\n$/, ['member', 'activate', 'x']);
});

test('wrong usage exits with code 2 and prints only to standard error', async () => {
  const balance = ['balance', 'add', '--org', UNKNOWN_ORGANIZATION];
  const usages = [
    ['catalog', 'update', 'tea', '--name-in', 'xx=Te'],
    ['serve', '--port', '99999'],
    ['serve', '--port', 'x'],
    ['recipient', 'erase'],
    ['gift', 'hold'],
    ['unknown'],
    ['org'],
    ['org', 'unknown'],
    ['org', 'create', '--name', 'Acme'],
    ['org', 'create', '--name', '', '--admin-email', 'a@b.co'],
    ['org', 'create', '--name', 'Acme', '--admin-email', 'x'],
    ['org', 'list', '--unknown'],
    ['org', 'list', 'too', 'many'],
    ['member', 'add', '--org', UNKNOWN_ORGANIZATION, '--email', 'a@b.co', '--role', 'owner'],
    [...balance, '--environment', 'test', '--amount', '1'],
    [...balance, '--environment', 'live', '--amount', '1.5'],
    [...balance, '--environment', 'live', '--amount', '0'],
    [...balance, '--environment', 'live', '--amount', '9007199254740992'],
    [...balance, '--environment', 'live', '--amount', '1', '--amount', '1'],
    ['gift', 'list', '--environment', 'live', '--state', 'sent', '--state', 'failed'],
    ['catalog', 'add', 'Not-A-Slug', '--name', 'N', '--description', 'D'],
    ['catalog', 'add', 'a', '--name', 'N', '--description', 'D', '--artwork', 'javascript:alert(1)'],
  ];
  for (const args of usages) {
    const { code, stdout, stderr } = await bestow(args);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
    assert.notEqual(stderr, '');
  }
});

test('31 February is wrong usage wherever a command takes a time', async () => {
  const environment = ['--org', UNKNOWN_ORGANIZATION, '--environment', 'live'];
  for (const args of [
    ['key', 'create', ...environment, '--name', 'Shop', '--expires'],
    ['export', 'orders', ...environment, '--created-after'],
    ['export', 'orders', ...environment, '--created-before'],
    ['ledger', 'trial-balance', '--at'],
    ['webhook', 'resend', 'wh_01h455vb4pex5vsknk084sn02q', '--from'],
  ])
    for (const text of ['2027-02-31', '2027-02-31T18:00Z']) {
      const { code, stdout, stderr } = await bestow([...args, text]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
      assert.match(stderr, /It must be a day such as 2027-01-31, or a time such as 2027-01-31T18:00Z\./);
    }
});

test('the help of every command has an example', async () => {
  const groups = {
    org: ['create', 'list', 'suspend', 'reinstate', 'billing-contact'],
    member: ['add', 'list', 'deactivate', 'activate', 'role', 'reset-sign-in'],
    key: ['create', 'import', 'list', 'revoke'],
    balance: ['add', 'adjust', 'show'],
    sandbox: ['create', 'delete'],
    ledger: ['verify'],
    catalog: ['list', 'add', 'update', 'retire'],
    audit: ['list'],
  };
  const commands = Object.entries(groups).flatMap(([group, names]) => [[group], ...names.map((name) => [group, name])]);
  for (const command of [[], ['serve'], ['migrate'], ...commands]) {
    const { code, stdout, stderr } = await bestow([...command, '--help']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, command.join(' '));
    assert.match(stdout, new RegExp(`Example:\n {2}bestow ${command.join(' ')}`));
  }
});

test('refuses an invalid setting or an unreachable database in one sentence', async () => {
  await assertRefused(/^CURRENCY must be/, ['org', 'list'], { variables: { CURRENCY: 'XYZ' } });
  await assertRefused(/^PORT must be/, ['serve'], { variables: { PORT: 'many' } });
  const DATABASE_URL = 'postgres://user:secret@127.0.0.1:1/nothing';
  const variables = { DATABASE_URL };
  // Only `serve` needs the secret of links.
  await assertRefused(/^LINK_SECRET must be set/, ['serve'], { variables: { ...variables, LINK_SECRET: '' } });
  await assertRefused(/^The database of DATABASE_URL \(127\.0\.0\.1:1\/nothing\)/, ['org', 'list'], { variables });
});

test('help names mandatory options, and the bare command prints help', async () => {
  const { stdout } = await bestow(['org', 'create', '--help']);
  assert.match(stdout, /^Usage: bestow org create --name <name> --admin-email <email> \[options\]\n/);
  const bare = await bestow([]);
  assert.deepEqual([bare.code, bare.stderr], [0, '']);
  assert.match(bare.stdout, /^Usage: bestow/);
});

test('with --json an error is one JSON object on standard error', async () => {
  for (const [args, code, error] of [
    [
      ['org', 'suspend', UNKNOWN_ORGANIZATION],
      1,
      { code: 'refused', message: `There is no organization ${UNKNOWN_ORGANIZATION}.` },
    ],
    [['org', 'list', '--unknown'], 2, { code: 'usage', message: "unknown option '--unknown'" }],
    [['recipient', 'erase', '--yes'], 2, { code: 'usage', message: 'Give --email or --phone.' }],
  ] as const) {
    const outcome = await bestow([...args, '--json']);
    assert.deepEqual([outcome.code, outcome.stdout], [code, '']);
    assert.deepEqual(JSON.parse(outcome.stderr), { error });
  }
});

test('bash completes commands, options and their choices', async () => {
  const { stdout } = await bestow(['completion', 'bash']);
  const complete = (...words: string[]) =>
    execFileSync('bash', [
      '-c',
      `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bestow; echo "\${COMPREPLY[@]}"`,
      'bash',
      'bestow',
      ...words,
    ])
      .toString()
      .trim();
  assert.equal(complete('or'), 'org order');
  assert.equal(complete('sandbox', ''), 'create delete --help');
  assert.equal(complete('gift', 'list', '--environment', ''), 'live sandbox');
  assert.equal(complete('gift', 'list', '--environment', 'live', '--st'), '--status --state');
  assert.equal(complete('completion', ''), 'bash zsh fish --help');
});

test('off removes a cap, and the last day of later gifts', async () => {
  const create = ['org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test'];
  const { organization_id: id } = await json(...create);
  const cap = ['cap', 'set', '--org', id, '--environment', 'live', '--yes'];
  await json('balance', 'add', '--org', id, '--environment', 'live', '--amount', '100');
  await json(...cap, '--hour', '500', '--day', '900');
  assert.equal((await json(...cap, '--hour', 'off'))[0].hour, null);
  assert.equal((await json(...cap, '--day', 'off'))[0].day, null);
  const days = (count: string) => json('org', 'program', id, '--unclaimed-after-days', count);
  assert.equal((await days('365')).unclaimed_after_days, 365);
  assert.equal((await days('off')).unclaimed_after_days, null);
});
