import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createApiClient, linkGift } from '../../harness/api-client.ts';
import { type DebianPostgres, startDebianPostgres } from '../../harness/debian-postgres.ts';
import { bestow, serve, until } from '../../harness/server-process.ts';

// Runs on the oldest supported PostgreSQL.

let postgres: DebianPostgres;
let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bestow-backup-'));
  postgres = await startDebianPostgres();
});
after(async () => {
  await postgres.close();
  await rm(directory, { recursive: true, force: true });
});

const variables = (database: string) => ({
  DATABASE_URL: postgres.url(database),
  LINK_SECRET: 'a secret of thirty-two characters',
  LOG_LEVEL: 'silent',
  DEMO: '1',
  PORT: '0',
});

/** Runs a command on one of the databases and returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each command has its own
async function json(database: string, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await bestow([...args, '--json'], variables(database)).ended;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
  return JSON.parse(stdout);
}

test('a dump taken under load restores to a valid ledger and a working service', async () => {
  const server = serve(directory, variables('bestow'));
  const { address: url } = await server.ready();
  const seeding = ['seed', '--organizations', '8', '--environment', 'sandbox', '--balance', '90000000'];
  const organizations: { organization_id: string; key: string }[] = await json('bestow', ...seeding);
  const placed: { key: string; orderId: string; isBefore: boolean }[] = [];
  let dumped: Promise<string> | undefined;
  let isOver = false;
  const load = organizations.map(async ({ key }) => {
    const api = createApiClient(url, key);
    while (!isOver) {
      const { status, body } = await api.order([linkGift(), linkGift()]);
      assert.equal(status, 201);
      // One that was only sent before the dump began may be committed after what the dump sees.
      placed.push({ key, orderId: body.order_id, isBefore: dumped === undefined });
    }
  });
  await until(() => placed.length > 50, 'orders are being placed');
  const file = join(directory, 'bestow.dump');
  dumped = postgres.run('pg_dump', ['--format', 'custom', '--file', file, 'bestow']);
  assert.equal(await dumped, '');
  isOver = true;
  await Promise.all(load);
  server.signal('SIGTERM');
  await server.ended;

  assert.equal(await postgres.run('createdb', ['restored']), '');
  assert.equal(await postgres.run('pg_restore', ['--exit-on-error', '--dbname', 'restored', file]), '');
  const report = await json('restored', 'ledger', 'verify');
  assert.equal(report.holds, true, JSON.stringify(report.culprits));
  const ordersBefore = placed.filter(({ isBefore }) => isBefore);
  assert.ok(report.checked.orders >= ordersBefore.length && report.checked.orders <= placed.length);
  assert.equal(report.checked.gifts, 2 * report.checked.orders);

  const again = serve(directory, variables('restored'));
  const restored = (await again.ready()).address;
  for (const { key, orderId } of ordersBefore.slice(0, 10))
    assert.equal((await createApiClient(restored, key).get(`/v1/orders/${orderId}`)).status, 200);
  assert.equal((await createApiClient(restored, ordersBefore[0]?.key).order([linkGift()])).status, 201);
  again.signal('SIGTERM');
  await again.ended;
});
