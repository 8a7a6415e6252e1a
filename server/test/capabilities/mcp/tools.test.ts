import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { connectAgent, withoutHistory } from '../../harness/agent.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';
import { WORDS_OF_HTTP } from '../../harness/words-of-http.ts';

// The tools of `/mcp`, called with the protocol's official client.

const service = openForFile(() => startTestService());

const HOUR_MS = 3_600_000;

const NAMES = [
  'list_categories',
  'get_balance',
  'list_balance_entries',
  'preview_order',
  'place_order',
  'get_order',
  'get_order_request',
  'list_orders',
  'get_gift',
  'list_gifts',
  'cancel_gift',
  'cancel_order',
  'resend_gift',
  'redirect_gift',
  'replace_link',
  'schedule_gift',
  'wait_for_events',
  'search_docs',
];

async function sandboxAgent(revision: 'auto' | 'legacy' = 'auto') {
  const organization = await service.organization();
  return { organization, agent: await connectAgent(service.url, organization.keys.sandbox, revision) };
}

for (const revision of ['auto', 'legacy'] as const)
  test(`every tool answers with ids and links to the portal, revision ${revision}`, async () => {
    const { organization, agent } = await sandboxAgent(revision);
    const { tools } = await agent.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      NAMES,
    );
    const portal = `${service.service.deps.publicUrl()}/portal/${organization.organizationId}/sandbox`;

    const categories = await agent.call('list_categories');
    assert.deepEqual(
      categories.body.data.map(({ id }: { id: string }) => id),
      ['coffee', 'books', 'travel'],
    );
    assert.equal((await agent.call('get_balance')).body.available, 1_000_000);

    const order = { gifts: [emailGift('delivery-failed'), emailGift('delivered'), linkGift()], external_id: 'agent-1' };
    const placed = await agent.call('place_order', await agent.preview(order));
    const { order_id, gifts, portal_url } = placed.body;
    assert.deepEqual([placed.isError, portal_url], [false, `${portal}/orders/${order_id}`]);
    const shown = (await agent.call('get_order', { order_id })).body;
    assert.deepEqual(withoutHistory(shown), placed.body);
    assert.deepEqual((await agent.call('get_order', { external_id: 'agent-1', order_id: null })).body, shown);
    assert.deepEqual(shown.history.gifts_by_state, { failed: 1, delivered: 1, sent: 1 });
    const { gift_id } = gifts[0];
    assert.deepEqual((await agent.call('get_gift', { gift_id })).body.history, shown.gifts[0].history);
    assert.deepEqual((await agent.call('list_orders', { external_id: 'agent-1' })).body.data, [placed.body]);
    const [receipt] = (await agent.call('list_balance_entries', { kind: 'order' })).body.data;
    assert.deepEqual([receipt.order_id, receipt.amount], [order_id, -7_500]);

    const [failed, delivered, link] = gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
    assert.equal(gifts[0].portal_url, `${portal}/gifts/${failed}`);
    const listed = await agent.call('list_gifts', { status: 'failed', order_id, limit: 5 });
    assert.deepEqual(
      listed.body.data.map(({ gift_id }: { gift_id: string }) => gift_id),
      [failed],
    );
    const resent = await agent.call('resend_gift', { gift_id: delivered });
    assert.deepEqual([resent.isError, resent.body.gift_id], [false, delivered]);
    const redirected = await agent.call('redirect_gift', {
      gift_id: failed,
      delivery: { method: 'email', email: 'delivered@sandbox.gift.test' },
    });
    assert.equal(redirected.body.delivery.email, 'delivered@sandbox.gift.test');
    const canceled = await agent.call('cancel_gift', { gift_id: link, reason: 'Ordered twice' });
    assert.equal(canceled.body.cancellation.reason, 'Ordered twice');
    assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2 * 2_500);

    for (const query of ['how do I retry an order safely', 'idempotancy']) {
      const { data } = (await agent.call('search_docs', { query })).body;
      assert.ok(
        data.some(({ url }: { url: string }) => url.endsWith('/docs/concepts#idempotency')),
        query,
      );
    }
    for (const query of ['insufficient_balance', 'createOrder']) {
      const [found] = (await agent.call('search_docs', { query })).body.data;
      assert.equal((await fetch(service.url + new URL(found.url).pathname)).status, 200);
      assert.equal((await fetch(service.url + new URL(found.markdown_url).pathname)).status, 200);
    }
  });

test('the arguments of a tool are those that its operation declares', async () => {
  const { agent } = await sandboxAgent();
  const { body: document } = await service.api().get('/v1/openapi.json');
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
  const { tools } = await agent.client.listTools();
  const inputOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema ?? assert.fail(name);
  const { parameters } = operations.find(({ operationId }) => operationId === 'listGifts');
  assert.deepEqual(
    Object.keys(inputOf('list_gifts').properties ?? {}),
    parameters.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'expand'),
  );
  const { OrderInput, GiftInput } = document.components.schemas;
  const { gifts } = inputOf('preview_order').properties as Record<string, { items: { properties: object } }>;
  assert.deepEqual(Object.keys(inputOf('preview_order').properties ?? {}), Object.keys(OrderInput.properties));
  assert.deepEqual(Object.keys(gifts?.items.properties ?? {}), Object.keys(GiftInput.properties));
  assert.ok(!/\$ref|"x-/.test(JSON.stringify(tools)));
  for (const { annotations, description } of tools) assert.ok(annotations && description);
});

test('wrong arguments name the field and the next step, and do nothing', async () => {
  const { organization, agent } = await sandboxAgent();
  const gift_id = 'gift_01k0fxw4mze6hv3tqx4d5s8r2n';
  for (const [name, given, code, param] of [
    ['preview_order', { gifts: [linkGift(999)] }, 'parameter_invalid', 'gifts[0].amount'],
    ['preview_order', { gifts: [{ ...linkGift(), category: 'none' }] }, 'parameter_invalid', 'gifts[0].category'],
    ['preview_order', { gifts: [linkGift()], note: 'x' }, 'parameter_invalid', 'note'],
    ['preview_order', {}, 'parameter_invalid', 'gifts'],
    ['place_order', { gifts: [linkGift()] }, 'parameter_invalid', 'preview_token'],
    ['place_order', { gifts: [linkGift()], preview_token: 'guess' }, 'parameter_invalid', 'preview_token'],
    ['list_gifts', { status: 'lost' }, 'parameter_invalid', 'status'],
    ['get_order', { order_id: '..' }, 'parameter_invalid', 'order_id'],
    ['cancel_gift', { gift_id }, 'resource_missing', undefined],
    ['redirect_gift', { gift_id, delivery: { method: 'link' } }, 'parameter_invalid', 'delivery.method'],
    ['list_gifts', { status: ['failed'] }, 'parameter_invalid', 'status'],
    ['get_order', {}, 'parameter_invalid', 'order_id'],
    ['list_gifts', { recipient: '1202' }, 'parameter_invalid', 'recipient'],
    ['list_gifts', { metadata: { 'a b': 'x' } }, 'parameter_invalid', 'metadata[a b]'],
    ['get_order', { external_id: 'no such order' }, 'resource_missing', undefined],
    ['resend_gift', { gift_id, idempotency_key: 'ü' }, 'parameter_invalid', 'idempotency_key'],
  ] as const) {
    const { isError, body } = await agent.call(name, given);
    assert.deepEqual([isError, body.error.code, body.error.param], [true, code, param], `${name} ${param}`);
    assert.match(body.error.message, /^.+\.$/);
    assert.doesNotMatch(body.error.message, WORDS_OF_HTTP);
    assert.match(body.error.next_step, /^[A-Z].+\.$/);
    assert.match(body.error.request_id, /^req_/);
  }
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
  for (const revision of ['auto', 'legacy'] as const) {
    const client = (await connectAgent(service.url, organization.keys.sandbox, revision)).client;
    await assert.rejects(client.callTool({ name: 'buy_everything' }), {
      code: -32_602,
      message: /The tools are list_cat/,
    });
  }
});

test('a preview shows what balance and caps leave, and gives no token beyond them', async () => {
  const { organization, agent } = await sandboxAgent();
  const { organizationId, keys } = organization;
  const keyId = await keyIdOf(service, keys.sandbox);
  const setting = { organizationId, environment: 'sandbox', actor: OPERATOR } as const;
  await setCaps(service.service.deps, { ...setting, amounts: { day: 9_000 } });
  await setCaps(service.service.deps, { ...setting, keyId, amounts: { hour: 5_000 } });
  await agent.call('place_order', await agent.preview({ gifts: [linkGift(2_000)] }));

  const { body } = await agent.call('preview_order', { gifts: [linkGift(1_500), linkGift(1_500)] });
  assert.deepEqual([body.amount, body.currency, body.can_be_placed], [3_000, 'USD', true]);
  assert.deepEqual(body.balance, { available: 998_000, after: 995_000 });
  const capsOf = ({ caps }: { caps: Record<string, unknown>[] }) =>
    caps.map(({ of, period, cap, left, left_after }) => [of, period, cap, left, left_after]);
  assert.deepEqual(capsOf(body), [
    ['organization', 'day', 9_000, 7_000, 4_000],
    ['key', 'hour', 5_000, 3_000, 0],
  ]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 998_000);

  const { body: refused } = await agent.call('preview_order', { gifts: [linkGift(3_001)] });
  assert.deepEqual([refused.can_be_placed, refused.preview_token], [false, undefined]);
  assert.deepEqual(capsOf(refused)[1], ['key', 'hour', 5_000, 3_000, 3_000]);
  assert.deepEqual([refused.refusal.code, refused.refusal.reason], ['insufficient_balance', 'key_cap_reached']);
  assert.match(refused.refusal.message, /^Orders with this API key may cost at most \$50\.00 per hour/);
  assert.match(refused.refusal.next_step, /only an admin or the operator can raise it\./);

  const poor = await service.organization({ sandbox: 1_000 });
  const other = await connectAgent(service.url, poor.keys.sandbox);
  const short = await other.call('preview_order', { gifts: [linkGift(1_001)] });
  assert.deepEqual([short.isError, short.body.refusal.code], [false, 'insufficient_balance']);
});

test('a token is of one key, one body and one hour', async () => {
  const { organization, agent } = await sandboxAgent();
  const order = { gifts: [linkGift(1_000)] };
  const previewed = await agent.preview(order);
  const others = [
    await connectAgent(service.url, await organization.newKey('sandbox')),
    await connectAgent(service.url, organization.keys.live),
  ];
  for (const other of others) {
    const { body } = await other.call('place_order', previewed);
    assert.deepEqual([body.error.code, body.error.param], ['parameter_invalid', 'preview_token']);
  }
  for (const changed of [{ gifts: [linkGift(1_001)] }, { gifts: [linkGift(1_000)], external_id: 'x' }])
    assert.match(
      (await agent.call('place_order', { ...previewed, ...changed })).body.error.message,
      /belongs to another order/,
    );
  await service.clock.jump(HOUR_MS);
  const { body } = await agent.call('place_order', previewed);
  assert.match(body.error.message, /has expired, and no order was placed with it\./);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
  const again = await agent.preview(order);
  assert.notEqual(again.preview_token, previewed.preview_token);
  assert.equal((await agent.call('place_order', again)).isError, false);
});
