import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enableEndpoint } from '../../../src/capabilities/webhooks/enable-endpoint.ts';
import { forgetOldAttempts, warnOfFailures } from '../../../src/capabilities/webhooks/warn-of-failures.ts';
import { admitted } from '../../../src/platform/authentication/caller.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { assertError } from '../../harness/api-client.ts';
import { OPERATOR } from '../../harness/operator.ts';
import type { TestOrganization } from '../../harness/test-service.ts';
import { addTestEndpoint, openForPushes, placeOrders, pushAll, pushUntil } from '../../harness/webhooks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { service, receiver, nextSequence, stateOf, deliveriesOf } = openForPushes();

const enable = ({ organizationUuid }: TestOrganization, endpointId: string, from: number | undefined) => {
  const caller = admitted({ organizationId: organizationUuid, environment: 'sandbox' });
  return enableEndpoint(service.service.deps, { caller, endpointId, actor: OPERATOR }, from);
};

test('410 switches the endpoint off, and enabling it continues without a loss', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url, { isOrdered: true });
  const next = await nextSequence(organization);
  hook.reply = () => ({ status: 410 });
  await placeOrders(organization, 2);
  await pushUntil(service, async () => (await stateOf(endpointId)).disabled === 'gone', 'it is off');
  await placeOrders(organization, 1);
  await service.clock.jump(HOUR_MS);
  await pushAll(service);
  assert.equal(hook.received.length, 1);
  hook.reply = () => ({ status: 204 });
  await enable(organization, endpointId, undefined);
  await pushAll(service);
  assert.deepEqual(
    hook.received.map(({ body }) => body.sequence),
    [next, next, next + 1, next + 2],
  );
  await enable(organization, endpointId, next + 1);
  await pushAll(service);
  assert.deepEqual(
    hook.received.slice(4).map(({ body }) => body.sequence),
    [next + 1, next + 2],
  );
});

test('an endpoint that its owner switches off gets nothing, and every event when it is on again', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  const path = `/v1/webhook_endpoints/${encodeId('wh', endpointId)}`;
  const change = async (body: object) => (await organization.sandbox.request('PATCH', path, { body })).body;
  const next = await nextSequence(organization);
  await placeOrders(organization, 1);
  await pushAll(service);
  const off = await change({ status: 'disabled' });
  assert.deepEqual([off.status, off.disabled_reason], ['disabled', 'requested']);
  assert.equal((await change({ status: 'disabled', description: 'Moving' })).disabled_at, off.disabled_at);
  await placeOrders(organization, 2);
  await service.clock.jump(HOUR_MS);
  await pushAll(service);
  assert.equal(hook.received.length, 1);
  const on = await change({ status: 'enabled' });
  assert.deepEqual([on.status, on.disabled_at, on.disabled_reason], ['enabled', null, null]);
  await pushAll(service);
  assert.deepEqual(hook.received.map(({ body }) => body.sequence).sort(), [next, next + 1, next + 2]);
  const actions = await service.sql<{ action: string }>(
    `select action from audit_events where organization_id = $1 and action like 'webhook.%' order by event_id`,
    [organization.organizationUuid],
  );
  const expected = ['webhook.added', 'webhook.disabled', 'webhook.changed', 'webhook.enabled'];
  assert.deepEqual(
    actions.map(({ action }) => action),
    expected,
  );
  assert.equal((await change({ status: 'failing' })).error.param, 'status');
});

test('after five days of failure it is off, with three mails, and nothing is lost', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  hook.reply = () => ({ status: 500 });
  await placeOrders(organization, 40);
  await pushAll(service);
  const mails = async () => {
    const rows = await service.sql<{ state: string }>(
      `select details->>'state' as state from notices where kind = 'webhook_failing' and organization_id = $1
       order by created_at`,
      [organization.organizationUuid],
    );
    return rows.map(({ state }) => state);
  };
  const startedAtMs = service.clock.now();
  const jumpTo = (days: number) => service.clock.jump(startedAtMs + days * 24 * HOUR_MS + 1 - service.clock.now());
  const warn = () => warnOfFailures(service.service.deps);
  for (const [days, expected] of [
    [0.9, []],
    [1, ['failing']],
    [2.9, ['failing']],
    [3, ['failing', 'failing']],
    [4.9, ['failing', 'failing']],
    [5, ['failing', 'failing', 'disabled']],
    [6, ['failing', 'failing', 'disabled']],
  ] as const) {
    await jumpTo(days);
    await pushAll(service);
    await warn();
    await warn();
    assert.deepEqual(await mails(), expected, `day ${days}`);
  }
  assert.equal((await stateOf(endpointId)).disabled, 'failing');
  await placeOrders(organization, 5);
  hook.reply = () => ({ status: 200 });
  await enable(organization, endpointId, undefined);
  await pushAll(service);
  const accepted = new Set(hook.received.filter(({ answered }) => answered === 200).map(({ id }) => id));
  assert.equal(accepted.size, 45);
});

test('an endpoint that was off for forty days gets also what was given up', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  hook.reply = () => ({ status: 500 });
  await placeOrders(organization, 1);
  await pushAll(service);
  for (const hours of [0.1, 0.2, 1, 3, 7, 13, 18, 25, 30]) {
    await service.clock.jump(hours * HOUR_MS);
    await pushAll(service);
  }
  const { deps } = service.service;
  await service.clock.jump(5 * 24 * HOUR_MS);
  await warnOfFailures(deps);
  const [{ state } = assert.fail()] = await deliveriesOf(endpointId);
  assert.deepEqual([state, (await stateOf(endpointId)).disabled], ['failed', 'failing']);
  await placeOrders(organization, 1);
  await service.clock.jump(40 * 24 * HOUR_MS);
  await forgetOldAttempts(deps);
  hook.reply = () => ({ status: 200 });
  await enable(organization, endpointId, undefined);
  await pushAll(service);
  const accepted = new Set(hook.received.filter(({ answered }) => answered === 200).map(({ id }) => id));
  assert.equal(accepted.size, 2);
  await service.clock.jump(31 * 24 * HOUR_MS);
  await forgetOldAttempts(deps);
  assert.deepEqual(await deliveriesOf(endpointId), []);
});

test('an ordered endpoint gets nothing past an event that it refuses for days', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url, { isOrdered: true });
  const next = await nextSequence(organization);
  hook.reply = ({ body }) => ({ status: body.sequence === next ? 400 : 200 });
  await placeOrders(organization, 2);
  for (const hours of [0, 0.1, 0.2, 1, 3, 7, 13, 18, 25, 30]) {
    await service.clock.jump(hours * HOUR_MS);
    await pushAll(service);
  }
  // A given up event would be followed by a probe.
  await service.clock.jump(HOUR_MS);
  for (let n = 0; n < 10; n += 1) await service.clock.advance(500);
  await pushAll(service);
  assert.equal(hook.received.length, 10);
  await service.clock.jump(24 * HOUR_MS);
  await warnOfFailures(service.service.deps);
  assert.equal((await stateOf(endpointId)).disabled, 'failing');
  hook.reply = () => ({ status: 200 });
  await enable(organization, endpointId, undefined);
  await pushAll(service);
  assert.deepEqual(
    hook.received.map(({ body }) => body.sequence - next),
    [...Array(11).fill(0), 1],
  );
});

test('events that are no longer held are refused by the first that is', async () => {
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, 'https://shop.example/');
  await placeOrders(organization, 1);
  await organization.sandbox.post('/v1/sandbox/reset');
  const first = (await nextSequence(organization)) - 1;
  const path = `/v1/webhook_endpoints/${encodeId('wh', endpointId)}/enable`;
  const from = (from_sequence: number) => organization.sandbox.post(path, { from_sequence });
  const refused = await from(first - 1);
  assertError(refused, 'parameter_invalid', 'from_sequence');
  assert.match(refused.body.error.message, new RegExp(`at least ${first}:`));
  assert.equal((await from(first)).status, 200);
  assert.equal((await from(first + 1)).status, 200);
  assertError(await from(first + 2), 'parameter_invalid', 'from_sequence');
});

test('an outage of a minute delays new events by about a minute more', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  await addTestEndpoint(service, organization, hook.url);
  const startedAtMs = service.clock.now();
  // Longer than until the first retries, and shorter than until the second ones.
  hook.reply = () => ({ status: service.clock.now() - startedAtMs < MINUTE_MS ? 503 : 204 });
  await placeOrders(organization, 60);
  const accepted = () => new Set(hook.received.filter(({ answered }) => answered === 204).map(({ id }) => id));
  const neverRefused = () => [...accepted()].filter((id) => hook.received.filter((one) => one.id === id).length === 1);
  await pushUntil(service, () => neverRefused().length >= 10, 'new events are pushed');
  assert.ok(service.clock.now() - startedAtMs < 3 * MINUTE_MS);
});

test('an endpoint that fails gets few new events, and all when it accepts again', async () => {
  const hook = await receiver();
  const organization = await service.organization();
  const { endpointId } = await addTestEndpoint(service, organization, hook.url);
  hook.reply = () => ({ status: 500 });
  await placeOrders(organization, 60);
  await pushAll(service);
  const held = await deliveriesOf(endpointId);
  assert.ok(held.length <= 45, `${held.length} deliveries`);
  assert.ok((await stateOf(endpointId)).failing);
  hook.reply = () => ({ status: 200 });
  for (let n = 0; n < 4; n += 1) {
    await service.clock.jump(10 * MINUTE_MS);
    await pushAll(service);
  }
  const accepted = new Set(hook.received.filter(({ answered }) => answered === 200).map(({ id }) => id));
  assert.equal(accepted.size, 60);
  const state = await stateOf(endpointId);
  const cursor = (await nextSequence(organization)) - 1;
  assert.deepEqual(state, { failing: false, disabled: null, cursor, failures: 0 });
});
