import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, linkGift } from '../../harness/api-client.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// A database that does not answer is an unexpected failure, never a rate limit.

const service = openForFile(() => startTestService({ METRICS_PORT: '0' }));
const samples = () => scrape(service.service.metricsAddress() ?? assert.fail('no metrics'));
const ORDERS = 40;

test('orders during a locked table are 500 with Retry-After, counted apart, and create nothing', async (t) => {
  const codes: unknown[] = [];
  const info = service.service.deps.log.info.bind(service.service.deps.log);
  t.mock.method(service.service.deps.log, 'info', (line: Record<string, unknown>, text: string) => {
    if (line['route'] === '/v1/orders') codes.push(line['code']);
    info(line, text);
  });
  const organizations = await Promise.all(Array.from({ length: 4 }, () => service.organization()));
  const placeAll = () =>
    Promise.all(
      Array.from({ length: ORDERS }, (_, n): Promise<Answer> | undefined =>
        organizations[n % organizations.length]?.sandbox.order([linkGift()], `stalled-${n}`),
      ),
    );
  await service.sql('begin');
  await service.sql('lock table balances in access exclusive mode');
  const answers = await placeAll();
  await service.sql('rollback');
  for (const answer of answers) {
    assertRefused(answer ?? assert.fail(), 'internal_error');
    assert.equal(answer?.headers.get('retry-after'), '1');
  }
  assert.deepEqual(codes, Array(ORDERS).fill('database_unavailable'));
  const counted = await samples();
  assert.equal(counted['bestow_orders_total{outcome="database_unavailable"}'], ORDERS);
  assert.equal(counted['bestow_http_requests_total{method="POST",route="/v1/orders",status="500"}'], ORDERS);
  assert.equal((await service.sql('select from orders')).length, 0);
  for (const answer of await placeAll()) assert.equal(answer?.status, 201);
});

test('reads of a locked table are 500 with Retry-After', async () => {
  const { sandbox } = await service.organization();
  await service.sql('begin');
  await service.sql('lock table orders in access exclusive mode');
  const answers = await Promise.all(Array.from({ length: ORDERS }, () => sandbox.get('/v1/orders')));
  await service.sql('rollback');
  for (const answer of answers) assertRefused(answer, 'internal_error');
  assert.equal((await sandbox.get('/v1/orders')).status, 200);
});
