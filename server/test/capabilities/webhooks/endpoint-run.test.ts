import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pushOnce } from '../../../src/capabilities/webhooks/push-once.ts';
import type { Answer, Sender } from '../../../src/capabilities/webhooks/send-push.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import type { Queryable } from '../../../src/platform/database/statement.ts';
import type { TestOrganization } from '../../harness/test-service.ts';
import { addTestEndpoint, openForPushes, placeOrders, pushAll } from '../../harness/webhooks.ts';

const { service, receiver, nextSequence, stateOf, deliveriesOf } = openForPushes();

const answer = (status: number): Answer => ({
  isAccepted: status < 300,
  status,
  error: status < 300 ? null : `The endpoint answered ${status}.`,
  body: null,
  durationMs: 1,
  retryAfterMs: undefined,
});

const senderOf = (send: () => Promise<Answer>): Sender => ({ send, abort: () => undefined, close: () => undefined });

/** Repeats the event of an order, which is quicker than to place so many orders. */
const repeatOrderEvent = ({ organizationUuid }: TestOrganization, times: number) =>
  service.sql(
    `with counter as (
       update event_counters set last_sequence = last_sequence + $2
       where organization_id = $1 and environment = 'sandbox' returning last_sequence
     )
     insert into events (organization_id, environment, sequence, type, order_id, created_at)
     select organization_id, environment, last_sequence - n, type, order_id, created_at
     from events, counter, generate_series(0, $2 - 1) n
     where organization_id = $1 and environment = 'sandbox' and type = 'order.created'`,
    [organizationUuid, times],
  );

test('an endpoint that begins to fail while more events are read loses none', async () => {
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, 'https://shop.example/');
  await placeOrders(organization, 1);
  await repeatOrderEvent(organization, 700);
  const { deps } = service.service;
  const failing = Promise.withResolvers<void>();
  let reads = 0;
  const failDuringSecond = ({ query }: Queryable): Queryable => ({
    async query(asked) {
      const found = await query(asked);
      if (asked.name !== 'webhook_endpoints.select_events') return found;
      reads += 1;
      if (reads === 2) failing.resolve();
      await setImmediate();
      return found;
    },
  });
  const servers = deps.database.servers.map((server) => ({ ...server, read: failDuringSecond(server.read) }));
  let sent = 0;
  const sender = senderOf(async () => {
    sent += 1;
    // Twenty answers come during the second read.
    if (sent < 300 || sent >= 320) return answer(200);
    await failing.promise;
    return answer(500);
  });
  await pushOnce({ ...deps, database: { ...deps.database, servers } }, sender);
  for (let n = 0; n < 3; n += 1) {
    await service.clock.jump(600_000);
    await pushOnce(
      deps,
      senderOf(async () => answer(200)),
    );
  }
  const next = await nextSequence(organization);
  const delivered = (await deliveriesOf(endpointId)).filter(({ state }) => state === 'delivered');
  assert.ok(reads >= 2);
  assert.equal(delivered.length, 701);
  assert.equal(delivered.at(-1)?.sequence, next - 1);
});

test('an ordered endpoint gets nothing past one that waits, also after an earlier event was sent again', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url, { isOrdered: true });
  const next = await nextSequence(organization);
  await placeOrders(organization, 3);
  hook.reply = ({ body }) => ({ status: body.sequence === next + 1 ? 503 : 204 });
  // So often that the endpoint gets only probes.
  for (const hours of [0, 0.1, 0.2, 1, 3, 7, 13, 18, 25, 30]) {
    await service.clock.jump(hours * 3_600_000);
    await pushAll(service);
  }
  assert.equal((await stateOf(endpointId)).failures, 10);
  const [first] = hook.received;
  const path = `/v1/webhook_endpoints/${encodeId('wh', endpointId)}/deliveries/${first?.id}/resend`;
  assert.equal((await organization.sandbox.post(path)).status, 200);
  await pushAll(service);
  assert.deepEqual(
    hook.received.map(({ body }) => body.sequence - next),
    [0, ...Array(10).fill(1), 0],
  );
});
