import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type OpenDatabase, openDatabase } from '../src/database/open.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const UNKNOWN_ORGANIZATION = 'org_01h455vb4pex5vsknk084sn02q';

let dataDir: string;
let opened: OpenDatabase;

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

function bestow(args: string[], { input = '', variables = {} as Record<string, string> } = {}): Promise<Outcome> {
  // Nothing of this process's own settings, so that a command here runs as on a new machine.
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...variables };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'pipe' });
  const outcome = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    outcome.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    outcome.stderr += text;
  });
  // A command that reads no input may be gone before it is written.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...outcome }));
  });
}

/** The JSON that a command prints, which must be all that it prints. */
// biome-ignore lint/suspicious/noExplicitAny: the results of all commands
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await bestow([...args, '--json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
  return JSON.parse(stdout);
}

/** One sentence on standard error, exit code 1, and nothing else. */
async function assertRefused(pattern: RegExp, args: string[], more: Parameters<typeof bestow>[1] = {}): Promise<void> {
  const { code, stdout, stderr } = await bestow(args, more);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, args.join(' '));
  assert.match(stderr, pattern);
  assert.match(stderr, /^[^\n]+\.\n$/);
}

/** Four processes at a time are quicker than one and leave a small machine usable. */
async function fewAtOnce(commands: string[][], check: (command: string[]) => Promise<void>): Promise<void> {
  const waiting = [...commands];
  const work = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) await check(command);
  };
  await Promise.all([work(), work(), work(), work()]);
}

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bestow-commands-'));
  // The first command on a new machine makes its database itself; the others find it running.
  const migrated = await json('migrate');
  assert.equal(migrated.up_to_date, true);
  opened = await openDatabase({ databaseUrl: undefined, dataDir }, 'command');
});

after(async () => {
  await opened?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const createOrganization = () => json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');

test('org: create answers id, name and first member; list, suspend, reinstate and billing contact', async () => {
  const created = await createOrganization();
  assert.deepEqual(Object.keys(created), ['organization_id', 'name', 'member_id']);
  assert.match(created.organization_id, /^org_[0-9a-z]{26}$/);
  assert.match(created.member_id, /^mem_[0-9a-z]{26}$/);
  const { organization_id: id, member_id } = created;

  const suspended = await json('org', 'suspend', id);
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

test('member: add, deactivate with a warning for the last admin, activate', async () => {
  const { organization_id: id, member_id } = await createOrganization();
  const bob = await json('member', 'add', '--org', id, '--email', 'bob@acme.test', '--role', 'member');
  assert.equal(bob.role, 'member');
  await assertRefused(/^Bob@acme\.test is already a member\.\n$/, [
    'member',
    'add',
    '--org',
    id,
    '--email',
    'Bob@acme.test',
    '--role',
    'admin',
  ]);

  const last = await bestow(['member', 'deactivate', member_id, '--json']);
  assert.equal(last.code, 0);
  assert.match(last.stderr, /^Warning: org_\w+ has no active admin left/);
  assert.ok(JSON.parse(last.stdout).deactivated_at);
  await assertRefused(/is deactivated/, ['org', 'billing-contact', id, '--member', member_id]);
  assert.equal((await json('member', 'activate', member_id)).deactivated_at, null);
  assert.ok((await json('member', 'deactivate', bob.member_id)).deactivated_at);
  assert.equal((await json('member', 'list', '--org', id)).length, 2);
});

test('member role: makes an admin of a member, and warns where the last admin is made a member', async () => {
  const { organization_id: id, member_id } = await createOrganization();
  const bob = await json('member', 'add', '--org', id, '--email', 'bob@acme.test', '--role', 'member');
  assert.equal((await json('member', 'role', bob.member_id, '--role', 'admin')).role, 'admin');
  assert.equal((await json('member', 'role', member_id, '--role', 'member')).role, 'member');
  const last = await bestow(['member', 'role', bob.member_id, '--role', 'member', '--json']);
  assert.equal(last.code, 0);
  assert.match(last.stderr, /^Warning: org_\w+ has no active admin left/);
  assert.equal(JSON.parse(last.stdout).role, 'member');
  await assertRefused(/^There is no member x\.\n$/, ['member', 'role', 'x', '--role', 'admin']);
});

test('audit list: what commands changed, by which user of which host, the latest first', async () => {
  const { organization_id: id } = await createOrganization();
  const created = await json('key', 'create', '--org', id, '--environment', 'live', '--name', 'Web');
  await json('key', 'revoke', created.key_id);
  await json('key', 'revoke', created.key_id);
  const name = `the operator (${userInfo().username})`;
  const actor = { kind: 'operator', member_id: null, name, address: hostname() };
  const events = await json('audit', 'list', '--org', id);
  assert.deepEqual(
    events.map(({ event_id: _id, created_at: _at, ...event }: Record<string, unknown>) => event),
    [
      {
        environment: 'live',
        action: 'key.revoked',
        sentence: 'Revoked the key “Web”',
        target: created.key_id,
        actor,
      },
      {
        environment: 'live',
        action: 'key.created',
        sentence: 'Created the key “Web”',
        target: created.key_id,
        actor,
      },
      {
        environment: null,
        action: 'organization.created',
        sentence: 'Created the organization “Acme” with ann@acme.test as its admin',
        target: id,
        actor,
      },
    ],
  );
  assert.deepEqual(await json('audit', 'list', '--org', id, '--limit', '1'), events.slice(0, 1));
  const table = await bestow(['audit', 'list', '--org', id]);
  assert.match(table.stdout, /^when +who +from +environment +what +id\n/);
  assert.equal(table.stdout.split('\n').length, 5);
  assert.equal((await json('key', 'list', '--org', id))[0].created_by, name);
});

test('key: create shows the key this once; list shows a hint; revoke ends it', async () => {
  const { organization_id: id } = await createOrganization();
  const created = await json('key', 'create', '--org', id, '--environment', 'sandbox', '--name', 'Web');
  assert.match(created.key, /^bestow-sandbox-[0-9A-Za-z]{38}$/);
  assert.match(created.key_id, /^key_[0-9a-z]{26}$/);
  const listed = await bestow(['key', 'list', '--org', id]);
  assert.ok(listed.stdout.includes(`bestow-sandbox-…${created.key.slice(-4)}`));
  assert.ok(!listed.stdout.includes(created.key));
  assert.ok((await json('key', 'revoke', created.key_id)).revoked_at);
  await assertRefused(/There is no key key_01/, ['key', 'revoke', UNKNOWN_ORGANIZATION.replace('org', 'key')]);

  const shown = await bestow(['key', 'create', '--org', id, '--environment', 'live', '--name', 'Web']);
  assert.match(shown.stdout, /^key {10}bestow-[0-9A-Za-z]{38}$/m);
  assert.equal(shown.stderr, 'Keep the key now: it is not shown again.\n');
});

test('key import reads the key from standard input', async () => {
  const { organization_id: id } = await createOrganization();
  const args = ['key', 'import', '--org', id, '--environment', 'live', '--name', 'Old'];
  const imported = await bestow([...args, '--json'], { input: 'sk_old_key_4711\n' });
  assert.equal(imported.code, 0);
  assert.equal(JSON.parse(imported.stdout).hint, 'sk_…4711');
  assert.ok(!imported.stdout.includes('sk_old_key'));
  await assertRefused(/was imported before/, args, { input: 'sk_old_key_4711' });
  await assertRefused(/Only an older key/, args, { input: 'bestow-abc' });
  await assertRefused(/Nothing came by standard input/, args);
});

test('balance: add is retried safely, adjust never below zero, show in money', async () => {
  const { organization_id: id } = await createOrganization();
  const add = ['balance', 'add', '--org', id, '--environment', 'live', '--amount', '123456', '--reference', 'r-1'];
  const added = await json(...add);
  assert.equal(added.balance, 123456);
  assert.deepEqual(await json(...add), added);
  const adjust = ['balance', 'adjust', '--org', id, '--environment', 'live', '--note', 'why', '--amount'];
  assert.equal((await json(...adjust, '-456')).balance, 123000);
  await assertRefused(/is 123000 cents, so 123001 cents/, [...adjust, '-123001']);
  const shown = await bestow(['balance', 'show', '--org', id], { variables: { CURRENCY: 'EUR' } });
  assert.equal(shown.stdout, 'environment  balance\nlive         1,230.00 EUR\nsandbox      0.00 EUR\n');
  assert.deepEqual(
    (await json('balance', 'show', '--org', id)).map(({ balance }: { balance: number }) => balance),
    [123000, 0],
  );
});

test('sandbox: create and delete', async () => {
  const { organization_id: id } = await createOrganization();
  assert.equal((await json('sandbox', 'create', '--org', id)).organization_id, id);
  await json('balance', 'add', '--org', id, '--environment', 'sandbox', '--amount', '5000');
  assert.deepEqual(await json('sandbox', 'delete', '--org', id), {
    organization_id: id,
    orders_deleted: 0,
    gifts_deleted: 0,
    balances_deleted: 1,
    ledger_entries_deleted: 1,
  });
  await assertRefused(/has no sandbox/, ['sandbox', 'delete', '--org', id]);
});

test('ledger verify: exit code 0 where it holds; 1 and the culprits where it does not', async () => {
  const { organization_id: id } = await createOrganization();
  const add = await json('balance', 'add', '--org', id, '--environment', 'live', '--amount', '700');
  const report = await json('ledger', 'verify');
  assert.equal(report.holds, true);
  assert.ok(report.checked.ledger_entries >= 1);

  const client = new Client(opened.target);
  await client.connect();
  const change = 'update ledger_entries set balance_after_cents = balance_after_cents + $1 where amount_cents = 700';
  try {
    await client.query(change, [1]);
    const failed = await bestow(['ledger', 'verify', '--json']);
    assert.equal(failed.code, 1);
    assert.equal(failed.stderr, 'The ledger does not hold; see the faults listed.\n');
    const { holds, culprits } = JSON.parse(failed.stdout);
    assert.equal(holds, false);
    assert.equal(culprits[0].organization_id, id);
    const table = await bestow(['ledger', 'verify']);
    assert.equal(table.code, 1);
    assert.ok(table.stdout.includes(add.entry_id), table.stdout);
  } finally {
    await client.query(change, [-1]);
    await client.end();
  }
});

test('catalog: add, update, retire, list; artwork may be left out', async () => {
  const added = await json(
    'catalog',
    'add',
    'tea',
    '--name',
    'Tea',
    '--description',
    'For people who take their time.',
  );
  assert.equal(added.artwork, null);
  await assertRefused(/There is a category tea already/, [
    'catalog',
    'add',
    'tea',
    '--name',
    'T',
    '--description',
    'T',
  ]);
  const url = 'https://example.com/tea.png';
  const updated = await json('catalog', 'update', 'tea', '--artwork', url, '--details-url', '/tea', '--position', '4');
  assert.deepEqual(updated, { ...added, artwork: url, product_details_url: '/tea', position: 4 });
  const bare = await json('catalog', 'update', 'tea', '--no-artwork', '--no-details-url', '--name', 'Teas');
  assert.deepEqual(bare, { ...added, name: 'Teas', position: 4 });
  assert.ok((await json('catalog', 'retire', 'tea')).retired_at);
  assert.equal((await json('catalog', 'update', 'tea', '--reinstate')).retired_at, null);
  assert.deepEqual(
    (await json('catalog', 'list')).map(({ name }: { name: string }) => name),
    ['Teas'],
  );
  await assertRefused(/There is no category cake/, ['catalog', 'retire', 'cake']);
});

test('catalog add-built-in adds what is missing of the built-in categories, and nothing twice', async () => {
  const added: { id?: string; category_id?: string }[] = await json('catalog', 'add-built-in');
  assert.equal(added.length, 8);
  assert.deepEqual(await json('catalog', 'add-built-in'), []);
});

test('an unknown id is refused in one sentence that names it', async () => {
  const id = UNKNOWN_ORGANIZATION;
  for (const args of [
    ['org', 'suspend', id],
    ['org', 'reinstate', 'org_'],
    ['balance', 'show', '--org', 'mem_01h455vb4pex5vsknk084sn02q'],
    ['key', 'list', '--org', id.toUpperCase()],
  ])
    await assertRefused(/^There is no organization \S+\.\n$/, args);
  await assertRefused(/^There is no member x\.\n$/, ['member', 'activate', 'x']);
});

test('wrong usage is exit code 2, with nothing on standard output', async () => {
  const balance = ['balance', 'add', '--org', UNKNOWN_ORGANIZATION];
  const usages = [
    [],
    ['unknown'],
    ['org'],
    ['org', 'unknown'],
    ['org', 'create', '--name', 'Acme'],
    ['org', 'create', '--name', '', '--admin-email', 'a@b.co'],
    ['org', 'create', '--name', 'Acme', '--admin-email', 'nobody'],
    ['org', 'list', '--unknown'],
    ['org', 'list', 'too', 'many'],
    ['member', 'add', '--org', UNKNOWN_ORGANIZATION, '--email', 'a@b.co', '--role', 'owner'],
    [...balance, '--environment', 'test', '--amount', '1'],
    [...balance, '--environment', 'live', '--amount', '1.5'],
    [...balance, '--environment', 'live', '--amount', '0'],
    [...balance, '--environment', 'live', '--amount', '9007199254740992'],
    ['catalog', 'add', 'Not-A-Slug', '--name', 'N', '--description', 'D'],
    ['catalog', 'add', 'a', '--name', 'N', '--description', 'D', '--artwork', 'javascript:alert(1)'],
  ];
  await fewAtOnce(usages, async (args) => {
    const { code, stdout, stderr } = await bestow(args);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
    assert.notEqual(stderr, '');
  });
});

test('every command explains itself with an example', async () => {
  const groups = {
    org: ['create', 'list', 'suspend', 'reinstate', 'billing-contact'],
    member: ['add', 'list', 'deactivate', 'activate', 'role'],
    key: ['create', 'import', 'list', 'revoke'],
    balance: ['add', 'adjust', 'show'],
    sandbox: ['create', 'delete'],
    ledger: ['verify'],
    catalog: ['list', 'add', 'update', 'retire'],
    audit: ['list'],
  };
  const commands = Object.entries(groups).flatMap(([group, names]) => [[group], ...names.map((name) => [group, name])]);
  await fewAtOnce([[], ['serve'], ['migrate'], ...commands], async (command) => {
    const { code, stdout, stderr } = await bestow([...command, '--help']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, command.join(' '));
    assert.match(stdout, new RegExp(`Example:\n {2}bestow ${command.join(' ')}`));
  });
});

test('a broken setting or a database out of reach is one sentence and exit code 1', async () => {
  await assertRefused(/^CURRENCY must be/, ['org', 'list'], { variables: { CURRENCY: 'XYZ' } });
  await assertRefused(/^PORT must be/, ['serve'], { variables: { PORT: 'many' } });
  const DATABASE_URL = 'postgres://nobody:secret@127.0.0.1:1/nothing';
  const variables = { DATABASE_URL };
  // Only what signs links needs their secret.
  await assertRefused(/^LINK_SECRET must be set/, ['serve'], { variables });
  await assertRefused(/^The database of DATABASE_URL \(127\.0\.0\.1:1\/nothing\)/, ['org', 'list'], { variables });
});
