import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { allowChanges } from '../../harness/allow-changes.ts';
import { openCommandLine, UNKNOWN_ORGANIZATION } from '../../harness/command-line.ts';

const { assertRefused, bestow, json, target } = openCommandLine();

const createOrganization = () => json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');

test('org create, list, suspend, reinstate and billing-contact', async () => {
  const created = await createOrganization();
  assert.deepEqual(Object.keys(created), ['organization_id', 'name', 'member_id']);
  assert.match(created.organization_id, /^org_[0-9a-z]{26}$/);
  assert.match(created.member_id, /^mem_[0-9a-z]{26}$/);
  const { organization_id: id, member_id } = created;

  const suspended = await json('org', 'suspend', id, '--yes');
  assert.ok(suspended.suspended_at);
  assert.deepEqual(await json('org', 'suspend', id), suspended);
  assert.equal((await json('org', 'reinstate', id)).suspended_at, null);
  assert.equal((await json('org', 'billing-contact', id, '--member', member_id)).billing_contact_member_id, member_id);

  const listed = (await json('org', 'list')).find(
    ({ organization_id }: { organization_id: string }) => organization_id === id,
  );
  assert.equal(listed.name, 'Acme');
  assert.equal(listed.billing_contact_member_id, member_id);
  const other = await createOrganization();
  await assertRefused(/has no member/, ['org', 'billing-contact', id, '--member', other.member_id]);
});

test('gift hold and release, and org suspend holds gifts unless told otherwise', async () => {
  const { organization_id: id } = await createOrganization();
  assert.deepEqual(await json('gift', 'hold', '--org', id, '--yes'), { organization_id: id, on_hold: true });
  const heldAt = async () =>
    (await json('org', 'list')).find(({ organization_id }: { organization_id: string }) => organization_id === id)
      .gifts_held_at;
  assert.ok(await heldAt());
  assert.deepEqual(await json('gift', 'release', '--org', id), { organization_id: id, on_hold: false });
  assert.equal(await heldAt(), null);
  assert.equal((await json('org', 'suspend', id, '--no-hold-gifts', '--yes')).gifts_held_at, null);
  const declined = await bestow(['org', 'suspend', id], { input: 'no\n', isTerminal: true });
  assert.match(declined.stderr, /unclaimed gifts are put on hold/);
  assert.equal(await heldAt(), null);
  assert.equal((await bestow(['org', 'suspend', id], { input: 'yes\n', isTerminal: true })).code, 0);
  assert.ok(await heldAt());
  const reinstated = await bestow(['org', 'reinstate', id]);
  assert.match(reinstated.stderr, new RegExp(`cannot order. Release them: bestow gift release --org ${id}\\n$`));
  assert.ok((await json('org', 'reinstate', id)).gifts_held_at);
  const released = await bestow(['org', 'reinstate', id, '--release-gifts']);
  assert.match(released.stderr, /Gifts that were put on hold one by one stay on hold/);
  assert.equal(await heldAt(), null);
  assert.ok((await json('org', 'suspend', id, '--hold-gifts', '--yes')).gifts_held_at);

  const unknown = UNKNOWN_ORGANIZATION.replace('org', 'gift');
  await assertRefused(/^There is no gift gift_\w+\.\n$/, ['gift', 'hold', unknown]);
  await assertRefused(/^There is no gift gift_\w+\.\n$/, ['gift', 'new-link', unknown]);
});

test('member add, list, activate and deactivate, with a warning for the last admin', async () => {
  const { organization_id: id, member_id } = await createOrganization();
  const bob = await json('member', 'add', '--org', id, '--email', 'bob@acme.test', '--role', 'member');
  assert.equal(bob.role, 'member');
  const again = ['member', 'add', '--org', id, '--email', 'Bob@acme.test', '--role', 'admin'];
  await assertRefused(/^Bob@acme\.test is already a member\.\n$/, again);

  const last = await bestow(['member', 'deactivate', member_id, '--yes', '--json']);
  assert.equal(last.code, 0);
  assert.match(last.stderr, /^Warning: org_\w+ has no active admin left/);
  assert.ok(JSON.parse(last.stdout).deactivated_at);
  await assertRefused(/is deactivated/, ['org', 'billing-contact', id, '--member', member_id]);
  assert.equal((await json('member', 'activate', member_id)).deactivated_at, null);
  assert.ok((await json('member', 'deactivate', bob.member_id, '--yes')).deactivated_at);
  assert.equal((await json('member', 'list', '--org', id)).length, 2);
});

test('member role warns about the last admin', async () => {
  const { organization_id: id, member_id } = await createOrganization();
  const bob = await json('member', 'add', '--org', id, '--email', 'bob@acme.test', '--role', 'member');
  assert.equal((await json('member', 'role', bob.member_id, '--role', 'admin')).role, 'admin');
  assert.equal((await json('member', 'role', member_id, '--role', 'member', '--yes')).role, 'member');
  const last = await bestow(['member', 'role', bob.member_id, '--role', 'member', '--yes', '--json']);
  assert.equal(last.code, 0);
  assert.match(last.stderr, /^Warning: org_\w+ has no active admin left/);
  assert.equal(JSON.parse(last.stdout).role, 'member');
  await assertRefused(/^There is no member x\.\n$/, ['member', 'role', 'x', '--role', 'admin']);
  assert.equal((await json('member', 'reset-sign-in', bob.member_id, '--yes')).email, 'bob@acme.test');
});

test('audit list shows the changes of commands with user and host, newest first', async () => {
  const { organization_id: id } = await createOrganization();
  const created = await json('key', 'create', '--org', id, '--environment', 'live', '--name', 'Web');
  await json('key', 'revoke', created.key_id, '--yes');
  await json('key', 'revoke', created.key_id, '--yes');
  const name = `the operator (${userInfo().username})`;
  const actor = { kind: 'operator', member_id: null, name, address: hostname() };
  const ofKey = { environment: 'live', target: created.key_id, actor };
  const founded = 'Created the organization “Acme” with ann@acme.test as its admin';
  const events = await json('audit', 'list', '--org', id);
  assert.deepEqual(
    events.map(({ event_id: _id, created_at: _at, ...event }: Record<string, unknown>) => event),
    [
      { ...ofKey, action: 'key.revoked', sentence: 'Revoked the key “Web”' },
      { ...ofKey, action: 'key.created', sentence: 'Created the key “Web”' },
      { environment: null, target: id, actor, action: 'organization.created', sentence: founded },
    ],
  );
  assert.deepEqual(await json('audit', 'list', '--org', id, '--limit', '1'), events.slice(0, 1));
  const table = await bestow(['audit', 'list', '--org', id]);
  assert.match(table.stdout, /^when +who +from +environment +what +id\n/);
  assert.equal(table.stdout.split('\n').length, 5);
  assert.equal((await json('key', 'list', '--org', id))[0].created_by, name);
});

test('key create shows the key, list a hint; revoke revokes', async () => {
  const { organization_id: id } = await createOrganization();
  const created = await json('key', 'create', '--org', id, '--environment', 'sandbox', '--name', 'Web');
  assert.match(created.key, /^bestow-sandbox-[0-9A-Za-z]{50}$/);
  assert.match(created.key_id, /^key_[0-9a-z]{26}$/);
  const listed = await bestow(['key', 'list', '--org', id]);
  assert.ok(listed.stdout.includes(`bestow-sandbox-…${created.key.slice(-4)}`));
  assert.ok(!listed.stdout.includes(created.key));
  assert.ok((await json('key', 'revoke', created.key_id, '--yes')).revoked_at);
  await assertRefused(/There is no key key_01/, ['key', 'revoke', UNKNOWN_ORGANIZATION.replace('org', 'key')]);

  const shown = await bestow(['key', 'create', '--org', id, '--environment', 'live', '--name', 'Web']);
  assert.match(shown.stdout, /^key {10}bestow-[0-9A-Za-z]{50}$/m);
  assert.equal(shown.stderr, 'Save the key now: it is not shown again.\n');
});

test('key create says that the sandbox was deleted', async () => {
  const { organization_id: id } = await createOrganization();
  const create = ['key', 'create', '--org', id, '--environment', 'sandbox', '--name', 'Web', '--json'];
  const fund = ['balance', 'add', '--org', id, '--environment', 'sandbox', '--amount', '100'];
  await assertRefused(/^org_\w+ has no sandbox\. Create it with bestow sandbox create/, fund);
  assert.equal((await bestow(create)).stderr, '');
  assert.equal((await json(...fund)).balance, 100);
  await json('sandbox', 'delete', '--org', id, '--yes');
  const created = await bestow(create);
  assert.equal(created.code, 0);
  assert.match(created.stderr, /^Warning: the sandbox was deleted.*bestow sandbox create --org org_\w+\.\n$/);
  await assertRefused(/has no sandbox/, fund);
});

test('names reach the terminal without anything that steers it', async () => {
  const { organization_id: id } = await createOrganization();
  const created = await json('key', 'create', '--org', id, '--environment', 'live', '--name', 'Web');
  const client = new Client(target());
  await client.connect();
  const name = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp\n';
  await client.query('update api_keys set name = $1 where key_id = $2', [name, decodeId('key', created.key_id)]);
  await client.end();
  const shown = '\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u202egnp\\u000a';
  const table = await bestow(['key', 'list', '--org', id]);
  assert.ok(table.stdout.includes(shown), table.stdout);
  for (const { stdout } of [table, await bestow(['key', 'list', '--org', id, '--json'])])
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\u202e]/u);
  assert.equal((await json('key', 'list', '--org', id))[0].name, name);
});

test('key import reads the key from standard input', async () => {
  const { organization_id: id } = await createOrganization();
  const args = ['key', 'import', '--org', id, '--environment', 'live', '--name', 'Old'];
  const imported = await bestow([...args, '--json'], { input: 'sk_old_key_4711\n' });
  assert.equal(imported.code, 0);
  assert.equal(JSON.parse(imported.stdout).hint, 'sk_…4711');
  assert.ok(!imported.stdout.includes('sk_old_key'));
  await assertRefused(/already imported/, args, { input: 'sk_old_key_4711' });
  await assertRefused(/Only legacy keys/, args, { input: 'bestow-abc' });
  await assertRefused(/Standard input is empty/, args);
});

test('balance add is idempotent, adjust never goes below zero, show formats money', async () => {
  const { organization_id: id } = await createOrganization();
  const add = ['balance', 'add', '--org', id, '--environment', 'live', '--amount', '123456', '--reference', 'r-1'];
  const added = await json(...add);
  assert.equal(added.balance, 123456);
  assert.deepEqual(await json(...add), added);
  const adjust = ['balance', 'adjust', '--org', id, '--environment', 'live', '--note', 'why', '--yes', '--amount'];
  assert.equal((await json(...adjust, '-456')).balance, 123000);
  await assertRefused(/is 123000 cents; it cannot be reduced by 123001/, [...adjust, '-123001']);
  const shown = await bestow(['balance', 'show', '--org', id], { variables: { CURRENCY: 'EUR' } });
  assert.equal(
    shown.stdout,
    'environment  balance\nlive         1,230.00 EUR (123000 cents)\nsandbox      0.00 EUR (0 cents)\n',
  );
  assert.deepEqual(
    (await json('balance', 'show', '--org', id)).map(({ balance }: { balance: number }) => balance),
    [123000, 0],
  );
});

test('sandbox create and delete', async () => {
  const { organization_id: id } = await createOrganization();
  assert.equal((await json('sandbox', 'create', '--org', id)).organization_id, id);
  await json('balance', 'add', '--org', id, '--environment', 'sandbox', '--amount', '5000');
  assert.deepEqual(await json('sandbox', 'delete', '--org', id, '--yes'), {
    organization_id: id,
    orders_deleted: 0,
    gifts_deleted: 0,
    balances_deleted: 1,
    ledger_entries_deleted: 1,
  });
  await assertRefused(/has no sandbox/, ['sandbox', 'delete', '--org', id, '--yes']);
});

test('ledger verify exits with 1 and lists the faults of a wrong ledger', async () => {
  const { organization_id: id } = await createOrganization();
  const add = await json('balance', 'add', '--org', id, '--environment', 'live', '--amount', '700');
  const report = await json('ledger', 'verify');
  assert.equal(report.holds, true);
  assert.ok(report.checked.ledger_entries >= 1);

  const client = new Client(target());
  await client.connect();
  await allowChanges((text) => client.query(text), ['ledger_entries']);
  const change = 'update ledger_entries set balance_after_cents = balance_after_cents + $1 where amount_cents = 700';
  try {
    await client.query(change, [1]);
    const failed = await bestow(['ledger', 'verify', '--json']);
    assert.equal(failed.code, 1);
    assert.match(JSON.parse(failed.stderr).error.message, /^The ledger is inconsistent/);
    const { holds, culprits } = JSON.parse(failed.stdout);
    assert.equal(holds, false);
    assert.equal(culprits[0].organization_id, id);
    const table = await bestow(['ledger', 'verify']);
    assert.equal(table.code, 1);
    assert.ok(table.stdout.includes(add.entry_id), table.stdout);
  } finally {
    await client.query(change, [-1]);
    await client.query('alter table ledger_entries enable trigger user');
    await client.end();
  }
});

test('ledger checkpoint and audit verify find an event that was cut off', async () => {
  await createOrganization();
  const { stdout } = await bestow(['ledger', 'checkpoint']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines[0], { checkpoint: 2 });
  assert.ok(lines.some(({ chain, rows }) => chain === 'audit' && rows > 0));
  const directory = await mkdtemp(join(tmpdir(), 'bestow-checkpoint-'));
  const file = join(directory, 'checkpoint.jsonl');
  try {
    await writeFile(file, stdout);
    for (const group of ['audit', 'ledger'])
      assert.equal((await json(group, 'verify', '--checkpoint', file)).holds, true, group);
    const [last] = lines.filter(({ chain }) => chain === 'audit');
    const longer = { ...last, rows: last.rows + 1 };
    await writeFile(file, `${JSON.stringify(lines[0])}\n${JSON.stringify(longer)}\n`);
    const failed = await bestow(['audit', 'verify', '--checkpoint', file]);
    assert.deepEqual([failed.code, failed.stderr], [1, 'The audit log was changed; see the faults above.\n']);
    assert.match(failed.stdout, /each chain holds the checkpoint +faults: 1/);
  } finally {
    await rm(directory, { recursive: true });
  }
  await assertRefused(/cannot be read \(ENOENT\)/, ['audit', 'verify', '--checkpoint', file]);
});

test('catalog add, update, retire and list', async () => {
  const add = ['catalog', 'add', 'tea', '--name', 'Tea', '--description', 'For people who take their time.'];
  const added = await json(...add);
  assert.equal(added.artwork, null);
  await assertRefused(/There is a category tea already/, add);
  const url = 'https://example.com/tea.png';
  const updated = await json('catalog', 'update', 'tea', '--artwork', url, '--details-url', '/tea', '--position', '4');
  assert.deepEqual(updated, { ...added, artwork: url, product_details_url: '/tea', position: 4 });
  const bare = await json('catalog', 'update', 'tea', '--no-artwork', '--no-details-url', '--name', 'Teas');
  assert.deepEqual(bare, { ...added, name: 'Teas', position: 4 });
  const named = await json('catalog', 'update', 'tea', '--name-in', 'de=Tee', '--name-in', 'pt-BR=chá');
  assert.deepEqual(named.names, { de: 'Tee', 'pt-BR': 'chá' });
  assert.deepEqual((await json('catalog', 'update', 'tea', '--name-in', 'de=')).names, { 'pt-BR': 'chá' });
  assert.ok((await json('catalog', 'retire', 'tea', '--yes')).retired_at);
  assert.equal((await json('catalog', 'update', 'tea', '--reinstate')).retired_at, null);
  assert.deepEqual(
    (await json('catalog', 'list')).map(({ name }: { name: string }) => name),
    ['Teas'],
  );
  await assertRefused(/There is no category cake/, ['catalog', 'retire', 'cake']);
});

test('catalog add-built-in adds only missing categories', async () => {
  const added: { id?: string; category_id?: string }[] = await json('catalog', 'add-built-in');
  assert.equal(added.length, 8);
  assert.deepEqual(await json('catalog', 'add-built-in'), []);
});
