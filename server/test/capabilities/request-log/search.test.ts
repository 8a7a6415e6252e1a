import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { findRequest } from '../../../src/capabilities/request-log/find-request.ts';
import { listRequests, type RequestSearch } from '../../../src/capabilities/request-log/list-requests.ts';
import { pruneRequests } from '../../../src/capabilities/request-log/prune-requests.ts';
import { MAX_SCANNED } from '../../../src/capabilities/request-log/queries.ts';
import { idBefore } from '../../../src/platform/base/id-time.ts';
import { decodeId, encodeId } from '../../../src/platform/base/ids.ts';
import { statements } from '../../../src/platform/database/statement.ts';
import type { PageRequest } from '../../../src/platform/paging/read-page.ts';
import { assertError, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { readLog, untilLogged } from '../../harness/request-log.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const list = ({ organizationUuid }: TestOrganization, request: RequestSearch & Partial<PageRequest>) =>
  listRequests(
    service.service.deps,
    { organizationId: organizationUuid, environment: 'live' },
    { limit: 100, ...request },
  );

const RARE_KEY = '0197f5d9-d4f4-7c22-9bb1-5e4f2d3c1b0a';

const ORDERS = ['GET /v1/orders 200', 'POST /v1/orders 201', 'POST /v1/orders 422'];
const filters: { filter: RequestSearch; expected: string[] }[] = [
  { filter: {}, expected: [...ORDERS, 'GET /v1/gifts/gift_x 404', 'GET /v1/gifts?limit=3 200'] },
  { filter: { outcome: 'succeeded' }, expected: [...ORDERS.slice(0, 2), 'GET /v1/gifts?limit=3 200'] },
  { filter: { outcome: 'failed' }, expected: ['POST /v1/orders 422', 'GET /v1/gifts/gift_x 404'] },
  { filter: { outcome: 'client_error' }, expected: ['POST /v1/orders 422', 'GET /v1/gifts/gift_x 404'] },
  { filter: { outcome: 'server_error' }, expected: [] },
  { filter: { method: 'post' }, expected: ['POST /v1/orders 201', 'POST /v1/orders 422'] },
  { filter: { pathPrefix: '/v1/gifts' }, expected: ['GET /v1/gifts/gift_x 404', 'GET /v1/gifts?limit=3 200'] },
  { filter: { pathPrefix: '/v1/gifts', outcome: 'failed' }, expected: ['GET /v1/gifts/gift_x 404'] },
  { filter: { pathPrefix: '%' }, expected: [] },
  { filter: { keyId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }, expected: [] },
];

test('filters by outcome, method, path, key and time', async () => {
  const organization = await service.organization();
  const { live } = organization;
  await live.get('/v1/orders');
  const startedAt = new Date(service.clock.now());
  await service.clock.advance(1);
  await live.order([linkGift()]);
  await live.order([]);
  await live.get('/v1/gifts/gift_x');
  await live.get('/v1/gifts?limit=3');
  await untilLogged(service, organization, 'live', 5);
  const found = async (request: RequestSearch & Partial<PageRequest>) =>
    (await list(organization, request)).rows.map(({ method, path, status }) => `${method} ${path} ${status}`).reverse();
  for (const { filter, expected } of filters) assert.deepEqual(await found(filter), expected, JSON.stringify(filter));
  const keyId = decodeId('key', (await readLog(service, organization, 'live'))[0]?.key_id ?? '');
  assert.equal((await found({ keyId })).length, 5);
  const afterTheFirst = new Date(startedAt.getTime() + 1);
  assert.equal((await found({ from: afterTheFirst })).length, 4);
  assert.deepEqual(await found({ to: afterTheFirst }), ['GET /v1/orders 200']);
});

test('pages contain every request once; cursors outlive their request', async () => {
  const organization = await service.organization();
  for (let n = 0; n < 7; n += 1) await organization.live.get(`/v1/orders?limit=${n + 1}`);
  await untilLogged(service, organization, 'live', 7);
  const all = (await list(organization, {})).rows;
  const first = await list(organization, { limit: 3 });
  const second = await list(organization, { limit: 3, after: first.older ?? '' });
  await service.sql('delete from request_log where request_id = $1', [decodeId('req', second.older ?? '')]);
  const third = await list(organization, { limit: 3, after: second.older ?? '' });
  assert.deepEqual([...first.rows, ...second.rows, ...third.rows], all);
  assert.deepEqual([first.newer, third.older, third.searched_to], [null, null, null]);
  assert.deepEqual((await list(organization, { limit: 3, before: second.newer ?? '' })).rows, first.rows);
  for (const cursor of ['x', encodeId('ord', idBefore(new Date(0)))]) {
    await assert.rejects(list(organization, { after: cursor }), { code: 'cursor_invalid', param: 'after' });
    await assert.rejects(list(organization, { before: cursor }), { code: 'cursor_invalid', param: 'before' });
  }
});

test('a search stops after 10,000 requests and can continue', async () => {
  const organization = await service.organization();
  const total = MAX_SCANNED * 2 + 100;
  const time = service.clock.now() - total;
  // One millisecond apart; the oldest of all is the only one with this key.
  await service.sql(
    `insert into request_log
       (organization_id, environment, request_id, created_at, method, path, status, key_id, duration_ms)
     select $1, 'live', (lpad(to_hex($2::bigint + n), 12, '0') || '70008000000000000000')::uuid,
       to_timestamp(($2::bigint + n) / 1000.0), 'GET', '/v1/orders', case n % 100 when 0 then 500 else 200 end,
       case n when 0 then $4::uuid else $1 end, 1
     from generate_series(0, $3::integer - 1) as n`,
    [organization.organizationUuid, time, total, RARE_KEY],
  );
  const pages: (string | undefined)[][] = [];
  let after: string | undefined;
  do {
    const page = await list(organization, { keyId: RARE_KEY, after });
    pages.push([...page.rows.map(({ status }) => String(status)), page.searched_to?.toISOString()]);
    after = page.older ?? undefined;
  } while (after !== undefined);
  assert.deepEqual(pages, [
    [new Date(time + total - MAX_SCANNED).toISOString()],
    [new Date(time + total - 2 * MAX_SCANNED).toISOString()],
    ['500', undefined],
  ]);
  const failed = await list(organization, { outcome: 'server_error' });
  assert.equal(failed.rows.length, 100);
  const none = await list(organization, { outcome: 'client_error' });
  assert.deepEqual([none.rows, none.older, none.searched_to], [[], null, null]);
});

test('a search reads an index in its order, also with a generic plan', async () => {
  await service.sql('begin');
  await service.sql(statements.get('requests.take_in_order') ?? '');
  await service.sql('set local plan_cache_mode = force_generic_plan');
  for (const [name, text] of statements) {
    if (!/^requests\.(search|scan)/.test(name)) continue;
    await service.sql(`prepare "${name}" as ${text}`);
    const nulls = new Array(text.includes('$10') ? 10 : 4).fill('null');
    const plan = await service.sql<{ 'QUERY PLAN': string }>(`explain execute "${name}" (${nulls})`);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(lines, /Sort|Bitmap|Seq Scan/, `${name}\n${lines}`);
    assert.match(lines, name.includes('failed') ? /request_log_failed/ : /request_log_pkey/);
  }
  await service.sql('rollback');
});

test('finds a request by its id only in its organization and environment', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const id = (await organization.sandbox.get('/v1/orders')).headers.get('request-id') ?? '';
  await other.sandbox.get('/v1/gifts');
  await untilLogged(service, organization, 'sandbox', 1);
  await untilLogged(service, other, 'sandbox', 1);
  const { deps } = service.service;
  const scope = { organizationId: organization.organizationUuid, environment: 'sandbox' } as const;
  assert.equal((await findRequest(deps, scope, ` ${id.toUpperCase()}\n`)).path, '/v1/orders');
  const missing = { code: 'resource_missing' };
  await assert.rejects(findRequest(deps, { ...scope, environment: 'live' }, id), missing);
  await assert.rejects(findRequest(deps, { ...scope, organizationId: other.organizationUuid }, id), missing);
  for (const text of ['', 'req_', 'x', `${id}x`, id.replace('req', 'ord')])
    await assert.rejects(findRequest(deps, scope, text), missing);
  assert.deepEqual(
    (await readLog(service, other, 'sandbox')).map(({ path }) => path),
    ['/v1/gifts'],
  );
  assert.deepEqual(await readLog(service, other, 'live'), []);
});

test('entries outlive the sandbox and are deleted after seven days', async () => {
  const organization = await service.organization();
  const { deps } = service.service;
  await organization.sandbox.order([linkGift()]);
  await organization.sandbox.post('/v1/sandbox/reset');
  await deleteSandbox(deps, { organizationId: organization.organizationId, actor: OPERATOR });
  assertError(await organization.sandbox.get('/v1/orders'), 'sandbox_missing');
  await untilLogged(service, organization, 'sandbox', 3);
  const statuses = async () => (await readLog(service, organization, 'sandbox')).map(({ status }) => status);
  assert.deepEqual(await statuses(), [404, 200, 201]);
  await service.clock.setTime(new Date(service.clock.now() + 6.9 * 86_400_000));
  await organization.live.get('/v1/orders');
  await untilLogged(service, organization, 'live', 1);
  await pruneRequests(deps);
  assert.deepEqual(await statuses(), [404, 200, 201]);
  await service.clock.setTime(new Date(service.clock.now() + 0.2 * 86_400_000));
  for (let run = 0; run < 10; run += 1) await pruneRequests(deps);
  assert.deepEqual(await statuses(), []);
  assert.equal((await readLog(service, organization, 'live')).length, 1);
  assert.deepEqual(
    await service.sql('select count(*)::int as old from request_log where created_at < $1', [
      new Date(service.clock.now() - 7 * 86_400_000),
    ]),
    [{ old: 0 }],
  );
});
