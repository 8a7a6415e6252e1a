import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardEvents } from '../../../src/capabilities/webhooks/forward-events.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { createSecret, sign } from '../../../src/platform/base/webhook-signature.ts';
import { type Answer, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';

const service = openForFile(() => startTestService());

test('bestow listen posts the chosen events in order, signed as webhooks are', async (t) => {
  const hook = await startWebhookReceiver();
  t.after(() => hook.close());
  hook.reply = () => ({ status: 500 });
  const { sandbox, keys } = await service.organization();
  const orders: Answer[] = [];
  for (let n = 0; n < 3; n += 1) orders.push(await sandbox.order([linkGift()]));
  // Kept 90 days; 0 begins with the first that is left.
  await service.sql(
    `delete from events where sequence <= (select min(sequence) from events where type = 'order.created')`,
  );
  const secret = createSecret();
  const lines: string[] = [];
  const stop = new AbortController();
  const forwarding = forwardEvents(
    { clock: systemClock },
    {
      from: service.url,
      to: hook.url,
      key: keys.sandbox,
      secret,
      types: ['order.created'],
      after: 0,
      print: (line) => lines.push(line),
      signal: stop.signal,
    },
  );
  await until(() => lines.length === 2, 'both events are posted');
  stop.abort();
  await forwarding;
  assert.deepEqual(
    hook.received.map(({ body }) => body.data.order_id),
    orders.slice(1).map(({ body }) => body.order_id),
  );
  for (const [n, { id, timestamp, signature, text, body }] of hook.received.entries()) {
    assert.equal(signature, sign([secret], id, timestamp, text));
    assert.equal(lines[n], `order.created ${body.event_id} 500`);
  }
});

test('bestow listen ends with one sentence if the key is refused', async () => {
  const signal = new AbortController().signal;
  const common = { types: undefined, after: undefined, print: () => undefined, signal };
  await assert.rejects(
    forwardEvents(
      { clock: systemClock },
      { from: service.url, to: service.url, key: 'none', secret: createSecret(), ...common },
    ),
    /refused to list events with 401; check the key/,
  );
});

test('bestow listen says in words why Bestow or the receiver does not answer', async (t) => {
  const hook = await startWebhookReceiver();
  const closed = hook.url;
  await hook.close();
  const { sandbox, keys } = await service.organization();
  await sandbox.order([linkGift()]);
  for (const [from, to, words] of [
    [
      closed,
      service.url,
      /^Cannot read events of http:\S+ The server refused the connection \(ECONNREFUSED\)\. Retrying; /,
    ],
    [
      service.url,
      closed,
      / no answer: The server refused the connection \(ECONNREFUSED\)\. Check the address of --forward-to\.$/,
    ],
  ] as const) {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const lines: string[] = [];
    const common = { key: keys.sandbox, secret: createSecret(), types: undefined, after: 0, signal: stop.signal };
    const forwarding = forwardEvents(
      { clock: systemClock },
      { from, to, ...common, print: (line) => lines.push(line) },
    );
    await until(() => lines.length > 0, 'it says so');
    stop.abort();
    await forwarding;
    assert.match(lines[0] ?? '', words);
    assert.doesNotMatch(lines.join(), /fetch failed/);
  }
});
