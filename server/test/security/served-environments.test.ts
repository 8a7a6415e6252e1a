import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIssuer } from '../../src/capabilities/issuers/add-issuer.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import { queues, queuesOf } from '../../src/platform/jobs/tasks.ts';
import { outboxChannel } from '../../src/platform/messaging/outbox-channel.ts';
import { linkGift } from '../harness/api-client.ts';
import { createSender, rowsTo } from '../harness/batches.ts';
import { providerSettings, sendPostmark, sentGift, standing } from '../harness/delivery-events.ts';
import { chooseFake } from '../harness/fake-issuer.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { OPERATOR } from '../harness/operator.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { giftsPath } from '../harness/portal-gifts.ts';
import { askForFunds } from '../harness/portal-ids.ts';
import { openLink, startTestService, type TestService } from '../harness/test-service.ts';

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

test('a process for the sandbox holds and releases no gifts and adds no codes', async () => {
  const organization = await service.organization();
  const { organizationId, organizationUuid } = organization;
  const chosen = { organizationId: organizationUuid, kind: 'codes', settings: {}, actor: OPERATOR };
  const issuerId = encodeId('iss', (await addIssuer(service.service.deps, chosen)).issuer_id);
  const admin = await createPortalClient(service, 'admin@example.com');
  const state = () =>
    service.sql(
      `select gifts_held_at is not null as held, (select count(*)::integer from shop_codes where organization_id = $1) as codes
       from organizations where organization_id = $1`,
      [organizationUuid],
    );
  const file = { category: 'coffee', csv: 'value,code,shop\n25.00,A,Bean' };
  for (const [path, body, status, after] of [
    ['gifts/hold', undefined, 204, { held: true, codes: 0 }],
    ['gifts/release', undefined, 204, { held: false, codes: 0 }],
    [`issuers/${issuerId}/codes`, file, 200, { held: false, codes: 1 }],
  ] as const) {
    const before = await state();
    const ask = async (at: TestService) =>
      (await admin.at(at.url).call('POST', `/organizations/${organizationId}/${path}`, body)).status;
    assert.equal(await ask(only.sandbox), 404, path);
    assert.deepEqual(await state(), before, path);
    assert.equal(await ask(only.live), status, path);
    assert.deepEqual(await state(), [after], path);
  }
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
  const shared = ['notice', 'code', 'everyMinute'];
  const ofLive = ['email', 'phone', 'claim', 'issuerEvent', 'batch'];
  const ofSandbox = ['completeOrder', 'sandboxBatch'];
  assert.deepEqual(queuesOf(channels, ['live']), [...ofLive, ...shared]);
  assert.deepEqual(queuesOf(channels, ['sandbox']), [...ofSandbox, ...shared]);
  assert.deepEqual(queuesOf(channels), [...ofSandbox, ...ofLive, ...shared]);
});

test('a change of a balance is approved only where its environment is served', async () => {
  const organization = await service.organization();
  const { organizationId } = organization;
  const admin = await createPortalClient(service, 'admin@example.com');
  const { approval_id } = await askForFunds(service, organization, 'live');
  const path = `/organizations/${organizationId}/approvals`;
  const sandbox = admin.at(only.sandbox.url);
  assert.deepEqual((await sandbox.call('GET', path)).body, { data: [] });
  assert.equal((await sandbox.call('POST', `${path}/${approval_id}/approve`)).status, 404);
  assert.equal((await admin.at(only.live.url).call('POST', `${path}/${approval_id}/approve`)).status, 200);
});

test('a batch waits for a process that serves its environment', async () => {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  for (const environment of ['live', 'sandbox'] as const) {
    await createSender(service, admin, organization, environment).send(rowsTo(1));
    const [job] = await service.sql<{ name: string }>(
      `select name from pgboss.job where name like 'batch%' and data->>'environment' = $1`,
      [environment],
    );
    const other = environment === 'live' ? 'sandbox' : 'live';
    const worked = (served: 'live' | 'sandbox') =>
      queuesOf({ email: undefined, phone: undefined, notice: undefined }, [served]).map((queue) => queues[queue].name);
    assert.deepEqual(
      [worked(environment), worked(other)].map((names) => names.some((name) => name === job?.name)),
      [true, false],
    );
  }
});

test('a process for the sandbox answers neither issuers nor Stripe, and tops up nothing', async () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  const [live, sandbox] = [
    await service.second({ ...stripe, SERVE_ENVIRONMENTS: 'live' }),
    await service.second({ ...stripe, SERVE_ENVIRONMENTS: 'sandbox' }),
  ];
  const organization = await service.organization();
  const { issuerId } = await chooseFake([live, sandbox], organization);
  const issuer = `/hooks/issuers/${organization.organizationId}/${encodeId('iss', issuerId)}`;
  for (const path of [`${issuer}/authorizations`, `${issuer}/events`, '/hooks/stripe']) {
    const ask = async ({ url }: TestService) => (await fetch(url + path, { method: 'POST', body: '{}' })).status;
    assert.deepEqual([await ask(live), await ask(sandbox)], [401, 404], path);
  }
  const admin = await createPortalClient(service, 'admin@example.com');
  const topups = `/organizations/${organization.organizationId}/live/topups`;
  assert.equal((await admin.at(live.url).call('GET', topups)).status, 200);
  assert.equal((await admin.at(sandbox.url).call('GET', topups)).status, 404);
});
