import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Environment } from '../../src/platform/base/environment.ts';
import { type DescribedOperation, describedRoutes } from '../harness/described-operations.ts';
import { everythingOf } from '../harness/everything-of.ts';
import { bodies } from '../harness/portal-bodies.ts';
import { createPortalClient, type PortalClient } from '../harness/portal-client.ts';
import { type PortalIds as Ids, portalIdsOf, RANDOM_IDS as RANDOM } from '../harness/portal-ids.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/** Every id, cursor and id filter of the portal, tried with ids of others. The routes come from the portal’s document. */

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Parameters that are the same for all organizations. */
const NO_IDS = ['organization_id', 'environment', 'month', 'number', 'part'];
const idsIn = (path: string) => namesIn(path).filter((name) => !NO_IDS.includes(name)) as (keyof Ids)[];

const RANDOM_ORGANIZATION = 'org_01k0fxw4mze6hv3tqx4d5s8r2n';

let service: TestService;
let own: TestOrganization;
let other: TestOrganization;
let admin: PortalClient;
let stranger: PortalClient;
let routes: DescribedOperation[];
let ids: Record<'sandbox' | 'live' | 'otherSandbox' | 'otherLive' | 'deleted', Ids>;

before(async () => {
  service = await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  routes = describedRoutes(service.service.app.portalRoutes, 'portal').map((route) => ({
    ...route,
    path: route.path.replace('/portal/api', ''),
  }));
  own = await service.organization();
  other = await service.organization();
  await service.sql(`update members set email = 'stranger@example.com' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  admin = await createPortalClient(service, 'admin@example.com');
  stranger = await createPortalClient(service, 'stranger@example.com');
  const deleted = await portalIdsOf(service, admin, own, 'sandbox');
  const ended = await createPortalClient(service, 'admin@example.com');
  deleted.session_id = (await ended.call('GET', '/sessions')).body.data[0].session_id;
  await ended.call('DELETE', `/sessions/${deleted.session_id}`);
  await own.sandbox.post('/v1/sandbox/reset');
  await own.fund('sandbox', 1_000_000);
  await own.addMembers();
  ids = {
    deleted,
    sandbox: await portalIdsOf(service, admin, own, 'sandbox'),
    live: await portalIdsOf(service, admin, own, 'live'),
    otherSandbox: await portalIdsOf(service, stranger, other, 'sandbox'),
    otherLive: await portalIdsOf(service, stranger, other, 'live'),
  };
});
after(() => service?.close());

const fill = (path: string, environment: Environment, some: Ids, organizationId = own.organizationId) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fixed: Record<string, string> = {
      organization_id: organizationId,
      environment,
      month: '2026-11',
      number: '1',
      part: 'mail',
    };
    return fixed[name] ?? encodeURIComponent(some[name as keyof Ids]);
  });

/** Headers that differ in every answer. */
const VARYING_HEADERS = ['date', 'ratelimit', 'connection', 'keep-alive'];

/** Everything of an answer that a caller can compare. */
async function seen(person: PortalClient, { method, operationId }: DescribedOperation, path: string): Promise<string> {
  const { status, headers, body } = await person.call(method, path, bodies[operationId]);
  const requestId = headers.get('request-id') ?? 'none';
  const kept = [...headers].filter(([name]) => !VARYING_HEADERS.includes(name));
  return JSON.stringify([status, kept, body]).replaceAll(requestId, 'REQUEST');
}

const environmentsOf = ({ path }: DescribedOperation): Environment[] =>
  path.includes('{environment}') ? ['live', 'sandbox'] : ['sandbox'];

test('the portal’s document names who may call each route', () => {
  const { portalRoutes } = service.service.app;
  assert.deepEqual(
    Object.fromEntries(routes.map((route) => [route.operationId, route['x-access']])),
    Object.fromEntries(portalRoutes.map(({ operationId, access }) => [operationId, access])),
  );
});

test('this test covers all ids, cursors and id filters of the document', () => {
  const kinds = new Set(routes.flatMap(({ path }) => idsIn(path)));
  assert.deepEqual([...kinds].sort(), [
    'approval_id',
    'batch_id',
    'connection_id',
    'contact_id',
    'endpoint_id',
    'event_id',
    'gift_id',
    'gift_request_id',
    'grant_id',
    'issuer_id',
    'key_id',
    'member_id',
    'order_id',
    'payment_method_id',
    'request_id',
    'role_id',
    'rule_id',
    'session_id',
    'team_id',
    'template_id',
    'topup_id',
  ]);
  const lists = routes.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'after'));
  // Top-ups need Stripe, and deliveries a receiver; topups/transfers.test.ts and portal/webhooks.test.ts have their cursors.
  const others = ['listTopups', 'listWebhookDeliveries'];
  assert.deepEqual(lists.map((one) => one.operationId).sort(), [...Object.keys(cursorOf), ...others].sort());
  for (const { operationId, requestBody } of routes)
    assert.equal(requestBody !== undefined, operationId in bodies, operationId);
});

test('foreign, deleted, random and malformed ids get the same bytes', async () => {
  const [ownBefore, otherBefore] = [await everythingOf(service, own), await everythingOf(service, other)];
  const withIds = routes.filter(({ path }) => idsIn(path).length > 0);
  assert.ok(withIds.length > 12, `${withIds.length} routes`);
  for (const route of withIds)
    for (const environment of environmentsOf(route)) {
      const missing = await seen(admin, route, fill(route.path, environment, RANDOM));
      // Ending an unknown session succeeds, like ending one twice.
      assert.match(missing, route.operationId === 'endSession' ? /^\[204,/ : /^\[404,.*"not_found"/, route.operationId);
      const otherMode = environment === 'live' ? ids.sandbox : ids.live;
      const { member_id, session_id, gift_id, approval_id, issuer_id } = RANDOM;
      const { key_id, grant_id, request_id, endpoint_id, role_id, team_id, template_id } = RANDOM;
      const malformed = ['x', '../x', '%00', `${gift_id}0`, "' or 1=1", '🎁', own.organizationUuid].map(
        (text) => Object.fromEntries(Object.keys(RANDOM).map((name) => [name, text])) as unknown as Ids,
      );
      for (const one of [
        ids.otherSandbox,
        ids.otherLive,
        { ...otherMode, member_id, session_id, approval_id, issuer_id, role_id, team_id },
        // Resources that survive a reset are found in their environment.
        {
          ...ids.deleted,
          key_id,
          grant_id,
          request_id,
          endpoint_id,
          template_id,
          member_id,
          approval_id,
          issuer_id,
          role_id,
          team_id,
        },
        ...malformed.slice(0, route.operationId === 'endSession' ? 0 : undefined),
      ])
        assert.equal(
          await seen(admin, route, fill(route.path, environment, one)),
          missing,
          `${route.operationId} ${environment} ${JSON.stringify(one)}`,
        );
    }
  assert.deepEqual(await everythingOf(service, other), otherBefore);
  assert.deepEqual(await everythingOf(service, own), ownBefore);
  assert.equal((await stranger.call('GET', '/me')).status, 200, 'no session was ended');
});

test('routes of a foreign and of an unknown organization get the same bytes', async () => {
  const otherBefore = await everythingOf(service, other);
  for (const route of routes.filter(({ path }) => path.includes('{organization_id}')))
    for (const environment of environmentsOf(route)) {
      const missing = await seen(admin, route, fill(route.path, environment, RANDOM, RANDOM_ORGANIZATION));
      assert.match(missing, /^\[404,.*"not_found"/, route.operationId);
      const theirs = environment === 'live' ? ids.otherLive : ids.otherSandbox;
      for (const one of [theirs, ids.sandbox, RANDOM])
        assert.equal(
          await seen(admin, route, fill(route.path, environment, one, other.organizationId)),
          missing,
          `${route.operationId} ${environment}`,
        );
    }
  assert.deepEqual(await everythingOf(service, other), otherBefore);
});

/** The kind of id that each list uses as cursor. */
const cursorOf: Record<string, keyof Ids> = {
  listEntries: 'entry_id',
  listContacts: 'contact_id',
  listGifts: 'gift_id',
  listGiftsOfContact: 'gift_id',
  searchOrders: 'order_id',
  listBatches: 'batch_id',
  listGiftRequests: 'gift_request_id',
  listRequests: 'request_id',
  listResends: 'gift_id',
  listAuditEvents: 'event_id',
};

/** A cursor of the same time that belongs to no one. */
const sibling = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');

test('foreign, deleted and unknown cursors get the same bytes', async () => {
  for (const route of routes.filter(({ operationId }) => operationId in cursorOf))
    for (const parameter of ['after', 'before'])
      for (const environment of ['live', 'sandbox'] as const) {
        const name = cursorOf[route.operationId] as keyof Ids;
        // A list of a contact is of the caller’s own.
        const named = { ...RANDOM, contact_id: ids[environment].contact_id };
        const at = (id: string) => `${fill(route.path, environment, named)}?${parameter}=${id}`;
        const outlivesReset = name === 'request_id' || name === 'event_id';
        for (const one of [
          ids.otherSandbox,
          ids.otherLive,
          // The log of an environment also has events of the organization.
          ...(name === 'event_id' ? [] : [environment === 'live' ? ids.sandbox : ids.live]),
          ...(outlivesReset ? [] : [ids.deleted]),
        ]) {
          // A list that is ordered by time accepts any time as cursor and returns it.
          const [theirs, nobodys] = await Promise.all(
            [one[name], sibling(one[name])].map(async (id) =>
              (await seen(admin, route, at(id))).replaceAll(id, 'CURSOR'),
            ),
          );
          assert.equal(theirs, nobodys, `${route.operationId} ${environment} ${parameter}=${one[name]}`);
        }
        assert.match(await seen(admin, route, at(ids[environment][name])), /^\[200,/, route.operationId);
      }
});

test('filters by a foreign and by an unknown id get the same bytes', async () => {
  const filters = [
    ['listRequests', 'key', 'key_id'],
    ['listGifts', 'query', 'gift_id'],
    ['listGifts', 'query', 'order_id'],
    ['searchOrders', 'query', 'order_id'],
    ['searchOrders', 'query', 'gift_id'],
  ] as const;
  for (const [operationId, parameter, name] of filters)
    for (const environment of ['live', 'sandbox'] as const) {
      const route = routes.find((one) => one.operationId === operationId) as DescribedOperation;
      const at = (id: string) => `${fill(route.path, environment, RANDOM)}?${parameter}=${id}`;
      const none = await seen(admin, route, at(RANDOM[name]));
      assert.match(none, /^\[200,.*"data":\[\]/, operationId);
      for (const one of [ids.otherSandbox, ids.otherLive, environment === 'live' ? ids.sandbox : ids.live])
        assert.equal(await seen(admin, route, at(one[name])), none, `${operationId} ${parameter}=${one[name]}`);
    }
});

// Runs last, because it uses up its resources.
test('control: the same calls find the caller’s own resources', async () => {
  const later = [
    'removeContact',
    'removeYearlyRule',
    'removeGiftTemplate',
    'cancelGift',
    'cancelOrder',
    'removeWebhook',
    'revokeKey',
    'revokeGrant',
    'endSession',
  ];
  const order = [...routes].sort((a, b) => later.indexOf(a.operationId) - later.indexOf(b.operationId));
  // No event was pushed, so no delivery can be sent again. Top-ups need Stripe; topups/checkout.test.ts has their tenants.
  // No gift waits for its time, or is claimed; gifts/schedule.test.ts and redemption/reopened-card.test.ts have those.
  // Of the two requests for gifts, one is approved and one declined; approvals/approvals.test.ts withdraws one.
  // A sign-in of an assistant belongs to a browser; oauth/attacks.test.ts has those.
  // A change of a rule names a template of its environment; yearly-gifts/approvals.test.ts changes one.
  const isHere = (path: string) => !/\{(event|connection)_id\}|\/live\/topups|\/(schedule|withdraw|reopen)$/.test(path);
  const called = order.filter(({ path, operationId }) => isHere(path) && operationId !== 'changeYearlyRule');
  for (const route of called.filter(({ path }) => idsIn(path).length > 0)) {
    // Of the two requests for funds, one is approved and one declined.
    const environment = /Link$|^decline/.test(route.operationId) ? 'live' : 'sandbox';
    const answer = await seen(admin, route, fill(route.path, environment, ids[environment]));
    assert.match(answer, /^\[20[04],/, `${route.operationId}: ${answer}`);
  }
});
