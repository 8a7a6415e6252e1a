import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queuesOf } from '../../src/jobs/tasks.ts';
import { outboxChannel } from '../../src/messaging/outbox-channel.ts';
import { linkGift } from '../harness/api-client.ts';
import { providerSettings, sendPostmark, sentGift, standing } from '../harness/delivery-events.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { giftsPath } from '../harness/portal-gifts.ts';
import { openLink, startTestService } from '../harness/test-service.ts';

// SERVE_ENVIRONMENTS limits more than the API: a process for the sandbox does nothing with live gifts.

const service = openForFile(() => startTestService(providerSettings));
const only = {
  live: openForFile(() => service.second({ SERVE_ENVIRONMENTS: 'live' })),
  sandbox: openForFile(() => service.second({ SERVE_ENVIRONMENTS: 'sandbox' })),
};

test('links of an environment that is not served are unknown, and claim nothing', async () => {
  const organization = await service.organization();
  for (const [environment, other] of [
    ['live', 'sandbox'],
    ['sandbox', 'live'],
  ] as const) {
    const [{ gift_id, delivery }] = (await organization[environment].order([linkGift()])).body.gifts;
    for (const [path, method] of [
      ['', 'GET'],
      ['/open', 'POST'],
      ['/claim', 'POST'],
    ] as const)
      assert.equal((await openLink(only[other], delivery.link + path, method)).status, 404, path);
    assert.equal((await organization[environment].get(`/v1/gifts/${gift_id}`)).body.delivery.status, 'sent');
    assert.equal((await openLink(only[environment], `${delivery.link}/claim`, 'POST')).status, 303);
  }
});

test('the portal shows and changes only the served environments', async () => {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  for (const [environment, other] of [
    ['live', 'sandbox'],
    ['sandbox', 'live'],
  ] as const) {
    const path = giftsPath(organization, '', environment);
    const there = admin.at(only[other].url);
    assert.equal((await there.call('GET', path)).status, 404);
    assert.equal((await admin.at(only[environment].url).call('GET', path)).status, 200);
    assert.deepEqual((await there.call('GET', '/me')).body.service.environments, [other]);
  }
  const sandbox = `/organizations/${organization.organizationId}/sandbox`;
  for (const [method, path] of [
    ['POST', `${sandbox}/reset`],
    ['DELETE', sandbox],
    ['POST', `${sandbox}/balance/test-funds`],
  ] as const)
    assert.equal((await admin.at(only.live.url).call(method, path, { amount: 1000 })).status, 404, path);
  assert.equal((await organization.sandbox.get('/v1/orders')).status, 200);
});

test('a webhook event of an environment that is not served changes nothing', async () => {
  const one = await sentGift(service, await service.organization());
  const bounced = { RecordType: 'Bounce', Type: 'HardBounce', Metadata: { delivery: one.reference } };
  const before = await standing(service, one);
  assert.equal((await sendPostmark(only.live, bounced)).status, 200);
  assert.deepEqual(await standing(service, one), before);
  assert.equal((await sendPostmark(only.sandbox, bounced)).status, 200);
  assert.notDeepEqual(await standing(service, one), before);
});

test('a worker takes only jobs of the served environments', () => {
  const channels = { email: outboxChannel, phone: outboxChannel, notice: outboxChannel };
  const shared = ['notice', 'code', 'batch', 'everyMinute'];
  assert.deepEqual(queuesOf(channels, ['live']), ['email', 'phone', 'claim', 'issuerEvent', ...shared]);
  assert.deepEqual(queuesOf(channels, ['sandbox']), ['completeOrder', ...shared]);
  assert.deepEqual(queuesOf(channels), ['completeOrder', 'email', 'phone', 'claim', 'issuerEvent', ...shared]);
});
