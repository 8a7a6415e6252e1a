import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { assertError, emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { processed } from '../../harness/processing-orders.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Refused cursors. */

const service = openForFile(() => startTestService());

const CURSORS = ['starting_after', 'ending_before'] as const;

async function refused(
  { sandbox }: TestOrganization,
  path: string,
  cursor: string,
  code: 'parameter_invalid' | 'cursor_invalid',
): Promise<void> {
  for (const name of CURSORS) {
    const answer = await sandbox.get(`${path}?limit=2&${name}=${encodeURIComponent(cursor)}`);
    assertError(answer, code, name);
  }
}

test('a malformed or empty cursor is parameter_invalid', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([linkGift()]);
  const ids = { '/v1/orders': body.order_id, '/v1/gifts': body.gifts[0].gift_id };
  for (const [path, id] of Object.entries(ids)) {
    const malformed = ['', ' ', `${id} `, `${id}.`, `${id}\0`, `${id}\n`, 'é', 'gift:1', '*', `${id},${id}`, "'; --"];
    for (const cursor of malformed) await refused(organization, path, cursor, 'parameter_invalid');
    for (const name of CURSORS) {
      const twice = `${path}?${name}=${id}&${name}=${id}`;
      assertError(await organization.sandbox.get(twice), 'parameter_invalid', name);
    }
  }
});

test('both cursors at once are parameter_invalid, whether they exist or not', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([linkGift()]);
  const id = body.order_id;
  for (const [after, before, param] of [
    [id, id, 'ending_before'],
    ['unknown', 'unknown', 'ending_before'],
    ['', id, 'starting_after'],
    [id, '', 'ending_before'],
  ] as const) {
    const answer = await sandbox.get(`/v1/orders?ending_before=${before}&starting_after=${after}`);
    assertError(answer, 'parameter_invalid', param);
  }
});

test('a well-formed cursor that is not in the list is cursor_invalid', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const own = (await organization.sandbox.order([linkGift()])).body;
  const live = (await organization.live.order([linkGift()])).body;
  const foreign = (await other.sandbox.order([linkGift()])).body;
  const [orders, gifts] = ['/v1/orders', '/v1/gifts'] as const;
  const cases: [path: string, cursor: string][] = [
    [orders, 'ord_01k0fxw4mze6hv3tqx4d5s8r2n'],
    [gifts, 'gift_01k0fxw4mzejhtt6k1sqh3p5cg'],
    // Another kind.
    [orders, own.gifts[0].gift_id],
    [gifts, own.order_id],
    [orders, own.gifts[0].gift_id.replace('gift_', 'ord_')],
    // Another environment, another organization.
    [orders, live.order_id],
    [gifts, live.gifts[0].gift_id],
    [orders, foreign.order_id],
    [gifts, foreign.gifts[0].gift_id],
    // Within the pattern, but no id.
    ...['x', '-', '_', 'null', 'ord_', 'gift_', '0', 'a'.repeat(10_000)].flatMap((cursor) =>
      [orders, gifts].map((path): [string, string] => [path, cursor]),
    ),
    [orders, own.order_id.toUpperCase()],
    [orders, own.order_id.slice(4)],
    [orders, `${own.order_id}0`],
    [orders, own.order_id.slice(0, -1)],
    [gifts, `gift_${'z'.repeat(26)}`],
    [gifts, `gift_${'7'}${'z'.repeat(25)}`],
  ];
  for (const [path, cursor] of cases) await refused(organization, path, cursor, 'cursor_invalid');
  for (const [path, id] of [
    [orders, own.order_id],
    [gifts, own.gifts[0].gift_id],
  ])
    for (const name of CURSORS)
      assert.deepEqual((await organization.sandbox.get(`${path}?${name}=${id}`)).body, {
        object: 'list',
        data: [],
        has_more: false,
      });
});

test('a gift becomes a cursor when it is created', async () => {
  const organization = await service.organization();
  const { sandbox, organizationUuid } = organization;
  const { body } = await sandbox.order([linkGift(), emailGift('processing')]);
  const [row] = await service.sql<{ pending_gifts: { gift_id: string }[] }>(
    'select pending_gifts from orders where organization_id = $1',
    [organizationUuid],
  );
  const waiting = encodeId('gift', row?.pending_gifts[0]?.gift_id ?? '');
  await refused(organization, '/v1/gifts', waiting, 'cursor_invalid');
  for (const name of CURSORS) assert.equal((await sandbox.get(`/v1/orders?${name}=${body.order_id}`)).status, 200);
  await service.clock.advance(22_000);
  await processed(service, sandbox, body.order_id);
  const after = await sandbox.get(`/v1/gifts?starting_after=${waiting}`);
  assert.deepEqual(after.body, { object: 'list', data: body.gifts, has_more: false });
});

test('a sandbox reset ends old cursors', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([linkGift()]);
  await organization.sandbox.post('/v1/sandbox/reset');
  await refused(organization, '/v1/orders', body.order_id, 'cursor_invalid');
  await refused(organization, '/v1/gifts', body.gifts[0].gift_id, 'cursor_invalid');
});
