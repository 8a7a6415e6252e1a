import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adapters } from '../../../src/capabilities/issuers/adapters.ts';
import { openCommandLine } from '../../harness/command-line.ts';

const { bestow, json } = openCommandLine();

const helpOf = async (...kind: string[]) => (await bestow(['issuer', 'add', ...kind, '--help'])).stdout;

test('the help of issuer add lists every kind', async () => {
  const width = Math.max(...Object.keys(adapters).map(({ length }) => length));
  const rows = Object.entries(adapters).map(([kind, { description }]) => `  ${kind.padEnd(width)} ${description}\n`);
  assert.ok((await helpOf()).includes(`\nKinds:\n${rows.join('')}`));
});

for (const [kind, { settings }] of Object.entries(adapters))
  test(`the help of issuer add ${kind} has each setting with an example that the command takes`, async () => {
    const help = await helpOf(kind);
    const examples = Object.entries(settings).map(([name, { example }]) => `${name}=${example}`);
    for (const line of examples) assert.ok(help.includes(`\n      ${line}\n`), line);
    const org = ['org', 'create', '--name', kind, '--admin-email', 'ann@acme.test'];
    const { organization_id: id } = await json(...org);
    const added = await bestow(['issuer', 'add', kind, '--org', id, '--secrets', '--json'], {
      input: examples.join('\n'),
    });
    assert.deepEqual([added.code, JSON.parse(added.stdout).kind], [0, kind], added.stderr);
  });

test('the help says which settings are needed and which are secret', async () => {
  const help = await helpOf('stripe');
  for (const line of [
    'secret_key (needed, secret)',
    'publishable_key (needed)',
    'authorization_secret (optional, secret)',
    'currency (optional)',
  ])
    assert.ok(help.includes(`\n  ${line}\n`), line);
});
