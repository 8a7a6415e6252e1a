import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { pino } from 'pino';
import { encodeId } from '../../src/base/ids.ts';
import { createRequestBuffer, MAX_ENTRIES } from '../../src/requests/request-buffer.ts';
import type { RequestEntry } from '../../src/requests/request-entry.ts';
import { writeRequests } from '../../src/requests/write-requests.ts';
import { assertError, linkGift } from '../harness/api-client.ts';
import { connectRaw, request } from '../harness/raw-http.ts';
import { readLog, untilLogged } from '../harness/request-log.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

// Issue 4: the request log costs the order path nothing measurable; it is written in batches, off the path, bounded.

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface LogLine {
  left_out?: number;
}

const CONNECTIONS = 20;
const AT_ONCE = 25;
const REQUESTS_PER_CONNECTION = 250;

test('answers a burst of 5,000 requests and logs a bounded number of them', async () => {
  const organization = await service.organization();
  const bytes = request('GET /v1/orders', [`Authorization: Bearer ${organization.keys.sandbox}`]);
  async function sendMany(): Promise<void> {
    using connection = await connectRaw(service.url);
    for (let sent = 0; sent < REQUESTS_PER_CONNECTION; sent += AT_ONCE) {
      void connection.write(bytes.repeat(AT_ONCE));
      for (let n = 0; n < AT_ONCE; n += 1) assert.equal((await connection.answer()).status, 200);
    }
  }
  // The test's clock stands still: all requests fall into one second.
  await Promise.all(Array.from({ length: CONNECTIONS }, sendMany));
  await untilLogged(service, organization, 'sandbox', MAX_ENTRIES);
  assert.deepEqual(await service.sql('select count(*)::int as kept from request_log'), [{ kept: MAX_ENTRIES }]);
});

test('while the log cannot be written requests go on, and what is kept is written once it can', async () => {
  const organization = await service.organization();
  await service.sql('alter table request_log rename to request_log_away');
  assert.equal((await organization.live.order([linkGift()])).status, 201);
  for (let second = 0; second < 3; second += 1) {
    await service.clock.advance(1_000);
    assert.equal((await organization.live.get('/v1/gifts')).status, 200);
  }
  await service.sql('alter table request_log_away rename to request_log');
  await untilLogged(service, organization, 'live', 4);
  assert.deepEqual(
    (await readLog(service, organization, 'live')).map(({ status }) => status),
    [200, 200, 200, 201],
  );
});

test('while the database is out of reach requests are refused as ever, and the log goes on afterwards', async () => {
  const organization = await service.organization();
  const admin = new Client({ ...service.target, database: 'postgres' });
  await admin.connect();
  const allowConnections = async (isAllowed: boolean) => {
    await admin.query(`alter database ${service.target.database} with allow_connections ${isAllowed}`);
    await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and application_name = 'bestow'`,
      [service.target.database],
    );
  };
  const noted = await organization.live.get('/v1/gifts');
  await allowConnections(false);
  await service.clock.advance(1_000);
  assertError(await organization.live.get('/v1/orders'), 'internal_error');
  await allowConnections(true);
  await admin.end();
  assert.equal((await organization.live.get('/v1/orders')).status, 200);
  await untilLogged(service, organization, 'live', 2);
  const [latest, first] = await readLog(service, organization, 'live');
  assert.equal(first?.request_id, noted.headers.get('request-id'));
  assert.deepEqual([latest?.path, latest?.status], ['/v1/orders', 200]);
});

test('what was noted is written when the service stops', async () => {
  const second = await service.second();
  const organization = await service.organization();
  const client = second.api(organization.keys.live);
  assert.equal((await client.order([linkGift()])).status, 201);
  await second.close();
  assert.deepEqual(
    (await readLog(service, organization, 'live')).map(({ status }) => status),
    [201],
  );
});

test('what is left out or refused by PostgreSQL is counted, said once a minute, and holds up nothing', async () => {
  const { organizationUuid } = await service.organization();
  const [key] = await service.sql<{ key_id: string }>('select key_id from api_keys where organization_id = $1', [
    organizationUuid,
  ]);
  const entry = (status: number): RequestEntry => ({
    requestId: encodeId('req', service.service.deps.ids.next()),
    keyOwner: { organization_id: organizationUuid, environment: 'live', key_id: key?.key_id ?? '' },
    createdAtMs: service.clock.now(),
    durationMs: 1,
    method: 'GET',
    pattern: '/v1/orders',
    url: '/v1/orders',
    status,
    error: undefined,
    clientAddress: undefined,
    body: undefined,
    bodyBytes: null,
  });
  const said: unknown[] = [];
  const log = pino({ level: 'info' }, { write: (line) => said.push((JSON.parse(line) as LogLine).left_out) });
  const buffer = createRequestBuffer<RequestEntry>();
  const stop = writeRequests({ ...service.service.deps, log }, buffer);
  // No smallint; it goes down with the forty-nine beside it.
  buffer.offer(() => entry(99_999));
  for (let n = 0; n < MAX_ENTRIES + 99; n += 1) buffer.offer(() => entry(200));
  await untilLogged(service, { organizationUuid }, 'live', MAX_ENTRIES - 50);
  assert.deepEqual(
    said.filter((count) => count !== undefined),
    [],
  );
  await service.clock.advance(60_000);
  await stop();
  assert.deepEqual(
    said.filter((count) => count !== undefined),
    [150],
  );
});
