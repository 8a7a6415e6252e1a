import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCommandLine } from '../../harness/command-line.ts';

const { assertRefused, bestow, json } = openCommandLine();

test('ledger trial-balance and reconcile show an organization’s books', async () => {
  const { organization_id: id } = await json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');
  const owner = ['--org', id, '--environment', 'live'];
  await json('balance', 'add', ...owner, '--amount', '5000', '--reference', 'invoice-1');
  const { environments } = await json('ledger', 'trial-balance', '--org', id);
  assert.deepEqual(
    [environments[0].sum, environments[0].accounts.available, environments[0].accounts.payment_clearing],
    [0, 5_000, -5_000],
  );
  const { stdout } = await bestow(['ledger', 'trial-balance', '--at', '2020-01-01']);
  assert.match(stdout, /live +available +– +0\.00 USD/);
  const directory = await mkdtemp(join(tmpdir(), 'bestow-reconcile-'));
  const file = join(directory, 'records.csv');
  try {
    await writeFile(file, 'reference,amount\ninvoice-1,5000\ninvoice-2,100\n');
    const month = new Date().toISOString().slice(0, 7);
    const command = ['ledger', 'reconcile', file, ...owner, '--month', month, '--kind', 'funding'];
    assert.deepEqual((await json(...command)).counts, { matched: 1, differing: 0, missing_here: 1, missing_there: 0 });
    await writeFile(file, 'nothing');
    await assertRefused(/the column reference is missing/, command);
    await assertRefused(/not JSON/, ['ledger', 'verify-statement', file, '--keys', file]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
