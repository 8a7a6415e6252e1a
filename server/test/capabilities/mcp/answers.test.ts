import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { askFor, askingAgent } from '../../harness/asked-orders.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Answers of every tool fit its output schema, which names every field. The official client checks the schema too.

const service = openForFile(() => startTestService());

type Node = Record<string, unknown>;

/** Refuses fields that the schema does not name. */
function closed(schema: Node): Node {
  const { properties, items } = schema as { properties?: Record<string, Node>; items?: Node };
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(properties && {
      // Each type of event has its own data.
      additionalProperties: Object.keys(properties).join() === 'order_id,gift_id',
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)])),
    }),
  };
}

/** Places an order with gifts of each method and state, with references and a later time. */
async function place(agent: Agent): Promise<{ order_id: string; ids: string[] }> {
  const references = { external_id: 'mine', metadata: { team: 'sales' } };
  const gifts = [
    { ...linkGift(), ...references },
    { ...emailGift('delivery-failed'), personalization: { recipient_name: 'Ada', message: 'Hi' }, language: 'de' },
    emailGift('claimed'),
    emailGift('delivered'),
    gift({ delivery: { method: 'phone', phone: '+12025550100' }, send_at: '2026-12-24T09:00:00Z' }),
  ];
  const { body } = await agent.call('place_order', await agent.preview({ gifts, ...references }));
  return { order_id: body.order_id, ids: body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id) };
}

test('every answer of every tool fits its closed output schema', async () => {
  const organization = await service.organization();
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const { tools } = await agent.client.listTools();
  const { order_id, ids } = await place(agent);
  const [link, failed, , delivered, waiting] = ids;
  const order = { gifts: [linkGift()] };
  const rich = await agent.preview({ gifts: [emailGift('processing')] });
  const elsewhere = { method: 'email', email: 'delivered@sandbox.gift.test' };
  const calls: [name: string, given: object][] = [
    ['list_categories', {}],
    ['get_balance', {}],
    ['preview_order', order],
    ['preview_order', { gifts: Array.from({ length: 10 }, () => linkGift(50_000)) }],
    ['preview_order', { gifts: Array.from({ length: 10 }, () => linkGift(50_000)), external_id: 'rich' }],
    ['place_order', rich],
    ['place_order', rich],
    ['get_order', { order_id }],
    ['get_order', { external_id: 'mine' }],
    ['redirect_gift', { gift_id: failed, delivery: elsewhere }],
    ['resend_gift', { gift_id: delivered }],
    ['replace_link', { gift_id: link }],
    ['schedule_gift', { gift_id: waiting, send_at: '2026-12-25T09:00:00Z' }],
    ...ids.map((gift_id): [string, object] => ['get_gift', { gift_id }]),
    ['cancel_gift', { gift_id: link, reason: 'Ordered twice' }],
    ['list_orders', {}],
    ['list_gifts', { external_id: 'mine' }],
    ['list_gifts', { limit: 1 }],
    ['list_balance_entries', {}],
    ['wait_for_events', { after: 0 }],
    ['cancel_order', { order_id: (await agent.call('list_orders', { limit: 1 })).body.data[0].order_id }],
    ['search_docs', { query: 'how do I retry an order safely' }],
    ['search_docs', { query: 'zzzzzz' }],
  ];
  const ajv = new Ajv2020({ strict: true });
  for (const [name, given] of calls) {
    const { isError, body } = await agent.call(name, given);
    assert.equal(isError, false, `${name}: ${JSON.stringify(body)}`);
    const { outputSchema } = tools.find((tool) => tool.name === name) ?? assert.fail(name);
    const fits = ajv.compile(closed(outputSchema as Node));
    assert.ok(fits(body), `${name}: ${JSON.stringify(fits.errors)} ${JSON.stringify(body)}`);
  }
  const asking = await askingAgent(service, organization, 0);
  const { given, id } = await askFor(asking, [linkGift()], { external_id: 'asked' });
  for (const [name, sent] of [
    ['place_order', given],
    ['get_order_request', { order_request_id: id }],
    ['preview_order', { gifts: [linkGift()] }],
  ] as const) {
    const { outputSchema } = tools.find((tool) => tool.name === name) ?? assert.fail(name);
    const fits = ajv.compile(closed(outputSchema as Node));
    assert.ok(fits((await asking.call(name, sent)).body), `${name}: ${JSON.stringify(fits.errors)}`);
    calls.push([name, sent]);
  }
  const called = new Set(calls.map(([name]) => name));
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => !called.has(name)),
    [],
  );
});
