import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
let organization: TestOrganization;
before(async () => {
  organization = await service.organization();
  const gifts = [{ ...linkGift(1000), external_id: 'row 1', metadata: { team: 'sales' } }, emailGift('opened')];
  await organization.sandbox.post('/v1/orders', { gifts, external_id: 'A-1' }, { 'Idempotency-Key': 'a' });
  await service.clock.advance(60_000);
  await organization.sandbox.order([emailGift('processing', 3000)]);
});

const run = (list: string, ...options: string[]) =>
  runBestow(service.target, [
    'export',
    list,
    '--org',
    organization.organizationId,
    '--environment',
    'sandbox',
    ...options,
  ]);

async function csvOf(list: string, accept = 'text/csv'): Promise<string> {
  const headers = { Authorization: `Bearer ${organization.keys.sandbox}`, Accept: accept };
  return (await fetch(`${service.url}/v1/${list}`, { headers })).text();
}

const exported = async () =>
  (
    await service.sql<{ actor_kind: string }>(
      "select actor_kind from audit_events where action = 'gifts.exported' order by actor_kind = 'key'",
    )
  ).map(({ actor_kind }) => actor_kind);

test('an export is the file of the interface, with the same filters', async () => {
  for (const [list, path, options, query] of [
    ['orders', 'orders', [], ''],
    ['orders', 'orders', ['--status', 'processing'], '?status=processing'],
    ['orders', 'orders', ['--external-id', 'A-1'], '?external_id=A-1'],
    ['gifts', 'gifts', [], ''],
    ['gifts', 'gifts', ['--delivery-method', 'link'], '?delivery_method=link'],
    ['gifts', 'gifts', ['--metadata', 'team=sales'], '?metadata[team]=sales'],
    ['gifts', 'gifts', ['--recipient', 'opened@sandbox.gift.test', '--status', 'opened'], '?status=opened'],
    ['gifts', 'gifts', ['--state', 'opened'], '?state=opened'],
    ['gifts', 'gifts', ['--expand', 'order,history,card'], '?expand=order,history,card'],
    ['gifts', 'gifts', ['--opened-after', '2026-11-20', '--expand', 'history'], '?state=opened&expand=history'],
    ['gifts', 'gifts', ['--delivered-before', '2026-11-21T12:00:30Z'], '?state=opened'],
    ['orders', 'orders', ['--expand', 'history'], '?expand=history'],
    ['orders', 'orders', ['--state', 'opened'], '?state=opened'],
    ['orders', 'orders', ['--ordered-after', '2026-11-21T12:00:30Z'], '?ordered_after=2026-11-21T12:00:30Z'],
    ['entries', 'balance/entries', ['--kind', 'order'], '?kind=order'],
    [
      'orders',
      'orders',
      ['--created-before', '2026-11-21T12:00:30Z', '--created-after', '2026-11-20'],
      '?created_before=2026-11-21T12:00:30Z',
    ],
  ] as const) {
    const { code, stdout, stderr } = await run(list, ...options);
    assert.deepEqual([code, stderr], [0, ''], options.join(' '));
    assert.equal(stdout.replace('\ufeff', ''), await csvOf(`${path}${query}`), options.join(' '));
    assert.ok(stdout.split('\r\n').length > 2, stdout);
  }
});

test('a refused filter or part names it, and exports nothing', async () => {
  const before = (await exported()).length;
  const { code, stdout, stderr } = await run('gifts', '--status', 'lost');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^status must be one of sent, failed, opened, claimed, canceled, scheduled\.\n$/);
  assert.match((await run('gifts', '--state', 'lost')).stderr, /^state must be one of waiting, sending, /);
  assert.match((await run('gifts', '--expand', 'lost')).stderr, /^expand must be one or more of order, history, /);
  assert.match((await run('gifts', '--expand', 'deliveries')).stderr, /^A CSV file has one row for each gift/);
  assert.match((await run('orders', '--expand', 'card')).stderr, /^A CSV file of orders has no gifts/);
  assert.match((await run('gifts', '--claimed-after', '2026-11-22')).stdout, /^\ufeff?gift_id[^\r]+\r\n$/);
  assert.equal((await exported()).length, before + 1, 'only the last one');
  assert.equal((await run('gifts', '--metadata', 'team')).code, 2);
});

test('an export of gifts is in the audit log, with its operator or key', async () => {
  const before = await exported();
  await run('orders');
  await run('entries');
  assert.deepEqual(await exported(), before);
  await run('gifts');
  assert.deepEqual(await exported(), ['operator', ...before]);
  await csvOf('gifts?category=none');
  await csvOf('orders');
  assert.deepEqual(await exported(), ['operator', ...before, 'key']);
});

test('a file is new, whole and only for its owner', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-export-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'gifts.csv');
  const { code, stdout, stderr } = await run('gifts', '--file', path);
  assert.deepEqual([code, stdout, stderr], [0, '', `Written to ${path}, which only you can read.\n`]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await readFile(path, 'utf8')).replace('\ufeff', ''), await csvOf('gifts'));
  const recorded = await exported();
  await writeFile(join(directory, 'open.csv'), 'mine', { mode: 0o644 });
  const existing = await run('gifts', '--file', join(directory, 'open.csv'));
  assert.match(existing.stderr, /^The file \S+ exists\. Choose another name\.\n$/);
  assert.equal(await readFile(join(directory, 'open.csv'), 'utf8'), 'mine');
  assert.match((await run('gifts', '--file', join(directory, 'a/b'))).stderr, /cannot be written \(ENOENT\)\.\n$/);
  assert.deepEqual(await readdir(directory), ['gifts.csv', 'open.csv']);
  assert.deepEqual(await exported(), recorded, 'a file that was not made is not an export');
});

test('names that steer a terminal are escaped at a terminal, and kept in a file', async (t) => {
  const name = 'Ada\u202e';
  await organization.sandbox.order([{ ...linkGift(1000), personalization: { recipient_name: name } }]);
  assert.ok((await run('gifts')).stdout.includes(name));
  const { isTTY } = process.stdout;
  t.after(() => Object.assign(process.stdout, { isTTY }));
  Object.assign(process.stdout, { isTTY: true });
  const { stdout } = await run('gifts');
  assert.ok(stdout.includes('Ada\\u202e') && !stdout.includes(name), stdout);
});
