import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { addTestEndpoint, openForPushes, placeOrders, pushAll } from '../../harness/webhooks.ts';

const { service, receiver } = openForPushes();

test('the portal pages through deliveries, and sends all failed ones or all since a time again', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  await placeOrders(organization, 60);
  await pushAll(service);
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organization.organizationId}/sandbox/webhooks/${encodeId('wh', endpointId)}`;
  const page = async (query = '') => {
    const { status, body } = await admin.call('GET', `${path}/deliveries${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return { ...body, sequences: body.data.map(({ sequence }: { sequence: number }) => sequence) };
  };
  const first = await page();
  const second = await page(`?after=${first.older}`);
  assert.deepEqual([first.newer, second.older, first.sequences.length, second.sequences.length], [null, null, 50, 10]);
  const all = [...first.sequences, ...second.sequences];
  assert.deepEqual(
    all,
    all.toSorted((one, other) => other - one),
  );
  const back = await page(`?before=${second.newer}`);
  assert.deepEqual([back.sequences, back.newer, back.older], [first.sequences, null, first.older]);

  const cursorOfNobody = `evt_${'0'.repeat(26)}`;
  const other = await service.organization();
  await placeOrders(other, 1);
  const { body: feed } = await other.sandbox.get('/v1/events?limit=1');
  const refused = async (cursor: string) => {
    const { status, body } = await admin.call('GET', `${path}/deliveries?after=${cursor}`);
    return [status, body.error?.code, body.error?.message.replaceAll(cursor, 'CURSOR'), body.data];
  };
  assert.deepEqual(await refused(feed.data[0].event_id), await refused(cursorOfNobody));

  const resend = async (body: object) => (await admin.call('POST', `${path}/resend`, body)).body;
  assert.deepEqual(await resend({}), { resent: 0 });
  const from = new Date(service.clock.now() - 3_600_000).toISOString();
  assert.deepEqual(await resend({ from }), { resent: 60 });
  await pushAll(service);
  assert.equal(hook.received.length, 120);
  for (const text of ['yesterday', '2026-02-31T00:00:00Z'])
    assert.equal((await admin.call('POST', `${path}/resend`, { from: text })).body.error.param, 'from');
});
