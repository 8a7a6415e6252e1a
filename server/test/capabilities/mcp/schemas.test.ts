import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { declarations } from '../../../src/capabilities/mcp/declarations.ts';
import { nextStep } from '../../../src/capabilities/mcp/next-step.ts';
import { errorCodes } from '../../../src/platform/base/errors.ts';
import { connectAgent } from '../../harness/agent.ts';
import { linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';
import { WORDS_OF_HTTP } from '../../harness/words-of-http.ts';

// What the tools say about themselves, so that strict clients and models take them as they are.

const service = openForFile(() => startTestService());

async function sandboxAgent() {
  const organization = await service.organization();
  return { organization, agent: await connectAgent(service.url, organization.keys.sandbox) };
}

const listTools = async () => (await (await sandboxAgent()).agent.client.listTools()).tools;

type Node = Record<string, unknown>;

/** Every schema in a schema. */
function* schemasIn(schema: Node): Generator<Node> {
  yield schema;
  for (const one of Object.values((schema['properties'] ?? {}) as Node)) yield* schemasIn(one as Node);
  if (schema['items'] !== undefined) yield* schemasIn(schema['items'] as Node);
}

const KNOWN = [
  'type',
  'description',
  'properties',
  'required',
  'items',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'enum',
];

test('every schema has only keywords that strict clients take, and is an object', async () => {
  for (const { name, inputSchema, outputSchema } of await listTools())
    for (const schema of [inputSchema, outputSchema] as Node[]) {
      assert.equal(schema['type'], 'object', name);
      for (const one of schemasIn(schema)) {
        assert.deepEqual(
          Object.keys(one).filter((keyword) => !KNOWN.includes(keyword)),
          [],
          name,
        );
        const [type, ...more] = [one['type']].flat();
        assert.ok(typeof type === 'string' && (more.length === 0 || more[0] === 'null'), `${name}: ${one['type']}`);
        if (one['properties'] !== undefined) assert.ok(Array.isArray(one['required']), name);
        if (one['enum'] !== undefined)
          assert.ok((one['enum'] as unknown[]).every((value) => typeof value === 'string'));
      }
      for (const compiler of [new Ajv({ strict: true }), new Ajv2020({ strict: true })]) compiler.compile(schema);
    }
});

test('every object of the arguments names its fields, so that strict clients and Gemini take it', async () => {
  // What openai-agents would need here, additionalProperties, makes google-genai 3.6.1 fail.
  const withoutArguments = ['list_categories', 'get_balance'];
  for (const { name, inputSchema } of await listTools())
    for (const one of schemasIn(inputSchema as Node)) {
      if (![one['type']].flat().includes('object')) continue;
      const isEmpty = Object.keys((one['properties'] ?? {}) as Node).length === 0;
      assert.equal(isEmpty, withoutArguments.includes(name), name);
    }
});

test('metadata is a list of pairs; a map is the same, and a wrong list is refused', async () => {
  const { agent } = await sandboxAgent();
  const pairs = [{ key: 'team', value: 'sales' }];
  const map = { team: 'sales' };
  const of = (metadata: unknown) => ({ gifts: [{ ...linkGift(), metadata }], metadata });
  const { preview_token } = await agent.preview(of(pairs));
  const { body: placed } = await agent.call('place_order', { ...of(pairs), preview_token });
  assert.deepEqual([placed.metadata, placed.gifts[0].metadata], [map, map]);
  assert.equal((await agent.call('place_order', { ...of(map), preview_token })).body.order_id, placed.order_id);
  for (const [metadata, count] of [
    [pairs, 1],
    [map, 1],
    [[{ key: 'team', value: 'other' }], 0],
  ] as const)
    for (const name of ['list_gifts', 'list_orders'])
      assert.equal((await agent.call(name, { metadata })).body.data.length, count, name);
  for (const [metadata, words] of [
    [['team'], /must be a list of objects with key and value/],
    [[{ value: 'sales' }], /must be a list of objects with key and value/],
    [[...pairs, ...pairs], /must have each key once/],
    [[{ key: 'team', value: null }], /both texts/],
    ['team', /must be a list of objects/],
  ] as const) {
    const { body } = await agent.call('preview_order', { gifts: [{ ...linkGift(), metadata }] });
    assert.match(body.error.param, /^gifts\[0\]\.metadata/);
    assert.match(body.error.message, words);
    assert.equal((await agent.call('list_gifts', { metadata })).isError, true, JSON.stringify(metadata));
  }
});

test('every optional argument may be null, at every depth', async () => {
  const { organization, agent } = await sandboxAgent();
  const withNulls = (schema: Node, given: Node): Node =>
    Object.fromEntries(
      Object.entries(schema['properties'] as Record<string, Node>).map(([name, one]) => {
        const value = given[name];
        if (value === undefined) {
          assert.deepEqual([one['type']].flat()[1], 'null', name);
          return [name, null];
        }
        if (Array.isArray(value)) return [name, value.map((item) => withNulls(one['items'] as Node, item))];
        return [name, typeof value === 'object' && one['properties'] ? withNulls(one, value as Node) : value];
      }),
    );
  const { tools } = await agent.client.listTools();
  const call = (name: string, given: object) => {
    const { inputSchema } = tools.find((tool) => tool.name === name) ?? assert.fail(name);
    return agent.call(name, withNulls(inputSchema as Node, given as Node));
  };
  const order = { gifts: [{ ...linkGift(), personalization: { recipient_name: 'Ada' } }] };
  const { body: previewed } = await call('preview_order', order);
  const { body: placed } = await call('place_order', { ...order, preview_token: previewed.preview_token });
  const [{ gift_id }] = placed.gifts;
  for (const [name, given] of [
    ['get_order', { order_id: placed.order_id }],
    ['list_orders', {}],
    ['list_gifts', {}],
    ['get_gift', { gift_id }],
    ['list_balance_entries', {}],
    ['wait_for_events', { wait: 0 }],
    ['replace_link', { gift_id }],
    ['cancel_gift', { gift_id }],
    ['cancel_order', { order_id: placed.order_id }],
  ] as const)
    assert.equal((await call(name, given)).isError, false, name);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
});

test('an address that does not go with the method is refused with a clear error', async () => {
  const { agent } = await sandboxAgent();
  const email = 'delivered@sandbox.gift.test';
  const phone = '+12025550100';
  for (const [delivery, field, words] of [
    [{ method: 'link', email }, 'email', /a link gift has no address\. Leave it out, or use the method email\./],
    [
      { method: 'email', email, phone },
      'phone',
      /the method email needs email\. Leave it out, or use the method phone\./,
    ],
    [{ method: 'email', phone }, 'phone', /does not go with the method email/],
    [{ method: 'email', email: null }, 'email', /is required/],
    [{ method: 'phone' }, 'phone', /is required/],
    [{ method: 'post', email }, 'method', /must be one of email, phone, link/],
    [{ email }, 'method', /must be one of email, phone, link/],
    [{ method: 'email', email, mail: 'x' }, 'mail', /is not known here/],
  ] as const) {
    const { body } = await agent.call('preview_order', { gifts: [{ ...linkGift(), delivery }] });
    assert.equal(body.error.param, `gifts[0].delivery.${field}`, JSON.stringify(delivery));
    assert.match(body.error.message, words);
    if (delivery.method === 'link') continue;
    const redirected = await agent.call('redirect_gift', { gift_id: 'gift_01k0fxw4mze6hv3tqx4d5s8r2n', delivery });
    assert.equal(redirected.body.error.param, `delivery.${field}`, JSON.stringify(delivery));
  }
});

test('every tool has a title and all four hints; only those that send or void something are not safe', async () => {
  const tools = await listTools();
  for (const { name, title, annotations } of tools) {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint])
      assert.equal(typeof hint, 'boolean', name);
    assert.ok(title !== undefined && annotations?.title === title, name);
  }
  const named = (hint: 'readOnlyHint' | 'openWorldHint') =>
    tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
  const acts = [
    'place_order',
    'cancel_gift',
    'cancel_order',
    'resend_gift',
    'redirect_gift',
    'replace_link',
    'schedule_gift',
  ];
  assert.deepEqual(
    named('readOnlyHint').sort(),
    Object.keys(declarations)
      .filter((name) => !acts.includes(name))
      .sort(),
  );
  assert.deepEqual(named('openWorldHint').sort(), acts.filter((name) => !name.startsWith('cancel')).sort());
});

test('no tool speaks of HTTP, and neither does what it says to do next', async () => {
  for (const tool of await listTools())
    assert.doesNotMatch(JSON.stringify(Object.values(tool)).replaceAll('"query"', ''), WORDS_OF_HTTP, tool.name);
  const notOfTools = ['sandbox_endpoint_only', 'webhook_endpoint_limit_reached', 'gift_already_delivered'];
  const simulations = ['gift_not_claimed', 'gift_delivery_not_simulatable'];
  for (const code of errorCodes.filter((one) => ![...notOfTools, ...simulations].includes(one)))
    assert.doesNotMatch(nextStep(code) ?? '', WORDS_OF_HTTP, code);
});
