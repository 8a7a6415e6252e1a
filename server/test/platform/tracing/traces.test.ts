import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gift, linkGift, emailGift as steeredGift } from '../../harness/api-client.ts';
import { startMailServer, workUntil } from '../../harness/mail-server.ts';
import { unlessHung } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';
import { type CollectedSpan, startTraceCollector } from '../../harness/trace-collector.ts';

// Traces from HTTP through batch and SQL to the delivery job.

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN_ID = 'b7ad6b7169203331';
const ADDRESS = 'ada.lovelace@example.com';

const emailGift = gift({
  delivery: { method: 'email', email: ADDRESS },
  personalization: { recipient_name: 'Ada Lovelace', sender_name: 'Charles Babbage' },
});

/** A service that sends its traces to the collector. */
async function startTraced(t: TestContext, variables: Record<string, string> = {}) {
  const collector = await startTraceCollector();
  t.after(() => collector.close());
  const service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables });
  return { collector, service };
}

const attributesOf = ({ attributes }: CollectedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('traces an order from its request to its message in the caller’s trace', async (t) => {
  const mail = await startMailServer();
  t.after(() => mail.close());
  const { collector, service } = await startTraced(t, { SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' });
  const { keys } = await service.organization();
  const response = await fetch(`${service.url}/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.live}`,
      'idempotency-key': 'a secret of the caller',
      'content-type': 'application/json',
      traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`,
    },
    body: JSON.stringify({ gifts: [emailGift] }),
  });
  assert.equal(response.status, 201);
  const { order_id, gifts } = (await response.json()) as { order_id: string; gifts: { gift_id: string }[] };
  await workUntil(service, async () => mail.received.length > 0, 'the email is sent');
  await service.close();

  const ofTrace = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const find = (name: string) => ofTrace.find((span) => span.name === name) ?? assert.fail(`there is no span ${name}`);
  const request = find('POST /v1/orders');
  assert.equal(request.parentSpanId, CALLER_SPAN_ID);
  assert.deepEqual(attributesOf(request), {
    'http.request.method': 'POST',
    'http.route': '/v1/orders',
    'http.response.status_code': 201,
    'bestow.request_id': response.headers.get('request-id'),
  });
  const batch = find('place orders together');
  assert.equal(batch.parentSpanId, request.spanId);
  assert.deepEqual(attributesOf(batch), { 'bestow.orders': 1 });
  assert.equal(find('orders.place').parentSpanId, batch.spanId);
  const job = find('send-email');
  assert.equal(job.parentSpanId, request.spanId);
  assert.ok(ofTrace.some(({ parentSpanId }) => parentSpanId === job.spanId));

  for (const secret of [ADDRESS, 'Lovelace', 'Babbage', keys.live, 'a secret of the caller', order_id])
    assert.ok(!collector.text().includes(secret), `${secret} is in the traces`);
  for (const { gift_id } of gifts) assert.ok(!collector.text().includes(gift_id), 'a gift’s id is in the traces');
});

test('orders of a batch are linked to its span', async (t) => {
  const { collector, service } = await startTraced(t);
  const organizations = await Promise.all(Array.from({ length: 8 }, () => service.organization()));
  await Promise.all(organizations.map(({ sandbox }) => sandbox.order([linkGift()])));
  await service.close();
  const requests = collector.spans.filter(({ name }) => name === 'POST /v1/orders').map(({ spanId }) => spanId);
  const batches = collector.spans.filter(({ name }) => name === 'place orders together');
  assert.equal(requests.length, 8);
  const linked = batches.flatMap(({ links = [] }) => links.map(({ spanId }) => spanId));
  assert.deepEqual(linked.sort(), requests.sort());
  assert.ok(batches.length < 8, `${batches.length} batches`);
});

test('spans of refused requests have errors; invalid traceparents are ignored', async (t) => {
  const { collector, service } = await startTraced(t);
  const { keys } = await service.organization();
  const headers = { authorization: `Bearer ${keys.sandbox}`, traceparent: `00-${'0'.repeat(32)}-${CALLER_SPAN_ID}-01` };
  assert.equal((await fetch(`${service.url}/v1/gifts/none`, { headers })).status, 404);
  const body = JSON.stringify({ gifts: [steeredGift('internal-error')] });
  const steered = { ...headers, 'idempotency-key': 'steered', 'content-type': 'application/json' };
  assert.equal((await fetch(`${service.url}/v1/orders`, { method: 'POST', headers: steered, body })).status, 500);
  await service.close();
  const [missing, failed] = ['GET /v1/gifts/:gift_id', 'POST /v1/orders'].map(
    (name) => collector.spans.find((span) => span.name === name) ?? assert.fail(name),
  );
  assert.deepEqual([missing?.parentSpanId ?? '', missing?.status?.code ?? 0], ['', 0]);
  assert.equal(failed?.status?.code, 2);
});

test('a collector that refuses or never answers affects neither requests nor shutdown', async (t) => {
  const connected = new Set<Socket>();
  const silent = createServer((socket) => connected.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of connected) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  for (const unreachable of [9, port]) {
    const service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${unreachable}` });
    const { sandbox } = await service.organization();
    assert.equal((await sandbox.order([linkGift()])).status, 201);
    await unlessHung(service.close(), 'the service is closed');
  }
  assert.ok(connected.size > 0);
});
