import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { migrate, migrationNames } from '../../../src/platform/database/migrate.ts';
import { createApiClient, emailGift, linkGift } from '../../harness/api-client.ts';
import { commandEnvironment, runBestow } from '../../harness/command-line.ts';
import { createRecipient, numberOn } from '../../harness/recipient.ts';
import { unpackReleaseBefore } from '../../harness/release-before.ts';
import { schemaLines } from '../../harness/schema-lines.ts';
import { bestow, type Panel, run, temporaryDirectory } from '../../harness/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';

// A database that commit 3f6a82d made and filled goes on with this one.

const ends: (() => Promise<void>)[] = [];
const context = { after: (end: () => Promise<void>) => ends.push(end) };
after(async () => {
  for (const end of ends.reverse()) await end();
});

let database: TestDatabase;
let panel: Panel;
let clients: { earlier: Client; fresh: Client };
const placed = { live: '', liveLink: '', claimedLink: '', sandbox: '' };

const order = { gifts: [linkGift(), linkGift()], external_id: 'party', metadata: { team: 'blue' } };
const keyed = { 'Idempotency-Key': 'before the upgrade' };

async function openClient({ target }: TestDatabase): Promise<Client> {
  const client = new Client({ ...target });
  await client.connect();
  context.after(() => client.end());
  return client;
}

const linesOf = (client: Client) =>
  schemaLines(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows);

/** Serves with settings as a person has them, and with a demo organization if it is the first start. */
const settings = () => ({ ...commandEnvironment(database.target), DEMO: '1', PORT: '0' });

before(async () => {
  database = await createTestDatabase('template0');
  context.after(() => database.drop());
  const earlier = unpackReleaseBefore(await temporaryDirectory(context));
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [earlier, ...args], settings()).ended;
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const server = run(process.execPath, [earlier, 'serve'], settings());
  panel = await server.ready();
  const [{ organization_id: id }] = JSON.parse(await command('org', 'list', '--json'));
  await command('balance', 'add', '--org', id, '--environment', 'live', '--amount', '50000', '--reference', 'bank 1');
  const live = createApiClient(panel.address, panel.liveKey);
  const sandbox = createApiClient(panel.address, panel.sandboxKey);
  const { body, status } = await live.post('/v1/orders', order, keyed);
  assert.equal(status, 201, JSON.stringify(body));
  placed.live = body.order_id;
  [placed.liveLink, placed.claimedLink] = body.gifts.map((gift: { delivery: { link: string } }) => gift.delivery.link);
  const recipient = createRecipient({ url: panel.address });
  for (const act of ['open', 'claim']) await recipient.press(placed.claimedLink, act);
  placed.sandbox = (await sandbox.order([emailGift('spent'), emailGift('delivered'), linkGift()])).body.order_id;
  await live.post('/v1/webhook_endpoints', { url: 'https://example.com/hook' }, { 'Idempotency-Key': 'an endpoint' });
  server.signal('SIGTERM');
  await server.ended;
  const fresh = await createTestDatabase('template0');
  context.after(() => fresh.drop());
  await migrate(fresh.target);
  await migrate(database.target);
  clients = { earlier: await openClient(database), fresh: await openClient(fresh) };
});

test('an earlier database has the schema of a new one after its migration', async () => {
  const [earlier, fresh] = [await linesOf(clients.earlier), await linesOf(clients.fresh)];
  assert.ok(fresh.length > 1_000, `${fresh.length} lines`);
  assert.deepEqual(earlier, fresh);
  const names = (await clients.earlier.query<{ name: string }>('select name from schema_migrations')).rows;
  for (const name of await migrationNames())
    assert.ok(
      names.some((row) => row.name === name),
      name,
    );
  assert.deepEqual(await migrate(database.target), []);
});

test('its orders, links, keys and ledger go on', async () => {
  const server = bestow(['serve'], settings());
  const { address } = await server.ready();
  const live = createApiClient(address, panel.liveKey);
  const again = await live.post('/v1/orders', order, keyed);
  assert.deepEqual([again.status, again.body.order_id], [200, placed.live]);
  assert.equal((await live.get('/v1/balance')).body.available, 45_000);
  assert.equal((await live.get('/v1/orders?metadata[team]=blue')).body.data.length, 1);
  const recipient = createRecipient({ url: address });
  const link = (full: string) => `${address}/g/${full.slice(-76)}`;
  await recipient.press(link(placed.liveLink), 'open');
  await recipient.press(link(placed.liveLink), 'claim');
  assert.ok(numberOn(await recipient.press(link(placed.liveLink), 'reveal')));
  const sandbox = createApiClient(address, panel.sandboxKey);
  assert.equal((await sandbox.get(`/v1/orders/${placed.sandbox}`)).status, 200);
  assert.equal((await live.order([linkGift()])).status, 201);
  const verified = await runBestow(database.target, ['ledger', 'verify', '--json']);
  assert.equal(JSON.parse(verified.stdout).holds, true, verified.stdout);
  server.signal('SIGTERM');
  assert.equal((await server.ended).code, 0);
});

test('a database from before that commit is refused with what to do', async () => {
  await clients.earlier.query(`delete from schema_migrations where name > '000162'`);
  await assert.rejects(migrate(database.target), {
    message:
      'The database has the schema 000161_earlier_metadata.sql, of a Bestow before 1.0.0; run the migrations of commit 3f6a82d on it first.',
  });
});
