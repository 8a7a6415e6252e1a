import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createRequestBuffer, MAX_ENTRIES } from '../../../src/capabilities/request-log/record-requests.ts';
import type { RequestEntry } from '../../../src/capabilities/request-log/request-row.ts';
import { writeRequests } from '../../../src/capabilities/request-log/write-requests.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { assertError, linkGift } from '../../harness/api-client.ts';
import { hideTable, showTable } from '../../harness/hide-table.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { connectRaw, request } from '../../harness/raw-http.ts';
import { readLog, untilLogged } from '../../harness/request-log.ts';
import { allowConnections } from '../../harness/test-database.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The request log is bounded and is written in batches, outside of the requests.

const service = openForFile(() => startTestService());

const loggedStatuses = async (organization: TestOrganization) =>
  (await readLog(service, organization, 'live')).map(({ status }) => status);

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

test('while the log cannot be written, requests succeed and are logged later', async () => {
  const organization = await service.organization();
  await service.sql(hideTable('request_log'));
  assert.equal((await organization.live.order([linkGift()])).status, 201);
  for (let second = 0; second < 3; second += 1) {
    await service.clock.advance(1_000);
    assert.equal((await organization.live.get('/v1/gifts')).status, 200);
  }
  await service.sql(showTable('request_log'));
  await untilLogged(service, organization, 'live', 4);
  assert.deepEqual(await loggedStatuses(organization), [200, 200, 200, 201]);
});

test('without the database, requests are 500; the log continues afterwards', async () => {
  const organization = await service.organization();
  const noted = await organization.live.get('/v1/gifts');
  await allowConnections(service.target, false);
  await service.clock.advance(1_000);
  assertError(await organization.live.get('/v1/orders'), 'internal_error');
  await allowConnections(service.target, true);
  assert.equal((await organization.live.get('/v1/orders')).status, 200);
  await untilLogged(service, organization, 'live', 2);
  const [latest, first] = await readLog(service, organization, 'live');
  assert.equal(first?.request_id, noted.headers.get('request-id'));
  assert.deepEqual([latest?.path, latest?.status], ['/v1/orders', 200]);
});

test('writes the remaining entries when the service stops', async () => {
  const second = await service.second();
  const organization = await service.organization();
  const client = second.api(organization.keys.live);
  assert.equal((await client.order([linkGift()])).status, 201);
  await second.close();
  assert.deepEqual(await loggedStatuses(organization), [201]);
});

test('counts dropped and refused entries, and logs their number once a minute', async () => {
  const { organizationUuid } = await service.organization();
  const [key] = await service.sql<{ key_id: string }>('select key_id from api_keys where organization_id = $1', [
    organizationUuid,
  ]);
  const entry = (status: number): RequestEntry => ({
    requestId: encodeId('req', service.service.deps.ids.next()),
    keyOwner: { organizationId: organizationUuid, environment: 'live', keyId: key?.key_id ?? '' },
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
    answer: undefined,
    answerBytes: null,
  });
  const lines: { left_out?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
  const counts = () => lines.flatMap(({ left_out = [] }) => left_out);
  const buffer = createRequestBuffer<RequestEntry>();
  const stop = writeRequests({ ...service.service.deps, log }, buffer);
  // Not a smallint: PostgreSQL refuses the whole batch of 50.
  buffer.offer(() => entry(99_999));
  for (let n = 0; n < MAX_ENTRIES + 99; n += 1) buffer.offer(() => entry(200));
  await untilLogged(service, { organizationUuid }, 'live', MAX_ENTRIES - 50);
  assert.deepEqual(counts(), []);
  await service.clock.advance(60_000);
  await stop();
  assert.deepEqual(counts(), [150]);
});
