import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openForFile } from '../harness/open-for-file.ts';
import { startTestService } from '../harness/test-service.ts';

// The description is OpenAPI 3.1, version 1.0.0, and complete.

interface Operation {
  operationId: string;
  description: string;
  security: unknown[];
  responses: Record<string, { description: string; headers?: object; content?: Content }>;
  requestBody?: { content: Content };
  'x-mockable'?: boolean;
}
type Content = Record<
  string,
  { schema: object; example?: unknown; examples?: Record<string, { value?: unknown; $ref?: string }> }
>;

interface Document {
  openapi: string;
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; examples: Record<string, { value: unknown }> };
}

const service = openForFile(() => startTestService());
const document = openForFile<Document>(async () => (await service.api().get('/v1/openapi.json')).body);

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

test('the document is OpenAPI 3.1, version 1.0.0, by the official meta-schema', async () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.equal(document.info.version, '1.0.0');
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined });
});

test('it passes Redocly’s recommended rules without errors or warnings', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config: await createConfig({ extends: ['recommended'] }),
  });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

test('all fourteen operations are there, and nothing else', () => {
  assert.deepEqual(
    operations()
      .map(({ name }) => name)
      .sort(),
    [
      'GET /v1/categories',
      'GET /v1/gifts',
      'GET /v1/gifts/{gift_id}',
      'GET /v1/health',
      'GET /v1/openapi.json',
      'GET /v1/orders',
      'GET /v1/orders/{order_id}',
      'POST /v1/orders',
      'POST /v1/sandbox/gifts/{gift_id}/claim',
      'POST /v1/sandbox/gifts/{gift_id}/deliver',
      'POST /v1/sandbox/gifts/{gift_id}/open',
      'POST /v1/sandbox/gifts/{gift_id}/spend',
      'POST /v1/sandbox/reset',
      'PUT /v1/gifts/{gift_id}/delivery',
    ],
  );
});

test('every operation has limits, failures, a default answer and common headers', () => {
  for (const { name, operation } of operations()) {
    const isPublic = operation.security.length === 0;
    const statuses = Object.keys(operation.responses);
    const expected = ['429', '500', 'default', ...(isPublic ? [] : ['401', '403', '404'])];
    for (const status of expected) assert.ok(statuses.includes(status), `${name} has no answer ${status}`);
    for (const [status, { headers }] of Object.entries(operation.responses))
      for (const header of ['Request-Id', 'RateLimit', 'RateLimit-Policy'])
        assert.ok(headers && header in headers, `${name} ${status} has no header ${header}`);
    assert.ok('Retry-After' in (operation.responses['429']?.headers ?? {}), name);
    assert.ok(operation.description.length > 20, name);
  }
});

test('every error answer lists its codes in its text and as examples', () => {
  for (const { name, operation } of operations())
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      if (!/^[45]/.test(status)) continue;
      const codes = Object.keys(content?.['application/json']?.examples ?? {});
      assert.ok(codes.length > 0, `${name} ${status}`);
      for (const code of codes) assert.ok(description.includes(`\`${code}\``), `${name} ${status} ${code}`);
    }
});

test('both steerable operations have x-mockable; the description has the table', () => {
  const mockable = operations().filter(({ operation }) => operation['x-mockable']);
  assert.deepEqual(
    mockable.map(({ name }) => name),
    ['POST /v1/orders', 'PUT /v1/gifts/{gift_id}/delivery'],
  );
  for (const address of ['delivery-failed@sandbox.gift.test', '+12025550107'])
    assert.ok(document.info.description.includes(address), address);
});

test('the failed-delivery address follows SANDBOX_MAIL_DOMAIN', async () => {
  const other = await service.second({ SANDBOX_MAIL_DOMAIN: 'try.example.org' });
  const { body } = await other.api().get('/v1/openapi.json');
  assert.ok(body.info.description.includes('delivery-failed@try.example.org'));
  await other.close();
});

test('a discriminator maps each value to its schema, for typed clients', () => {
  const mapping = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).map(([value, name]) => [value, `#/components/schemas/${name}`]));
  const { NewDelivery, Redirect } = document.components.schemas as Record<string, { discriminator?: unknown }>;
  assert.deepEqual(NewDelivery?.discriminator, {
    propertyName: 'method',
    mapping: mapping({ email: 'EmailDelivery', phone: 'PhoneDelivery', link: 'LinkDelivery' }),
  });
  assert.deepEqual(Redirect?.discriminator, {
    propertyName: 'method',
    mapping: mapping({ email: 'EmailDelivery', phone: 'PhoneDelivery' }),
  });
});

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const fits = (schema: object, value: unknown, where: string) => {
    const { $ref } = schema as { $ref?: string };
    const validate = $ref ? ajv.getSchema(`document${$ref}`) : ajv.compile(schema);
    assert.ok(validate?.(value), `${where}: ${ajv.errorsText(validate?.errors)}`);
  };
  let checked = 0;
  for (const { name, operation } of operations())
    for (const [where, content] of [
      ['body', operation.requestBody?.content],
      ...Object.entries(operation.responses).map(([status, answer]) => [status, answer.content] as const),
    ] as const) {
      const media = content?.['application/json'];
      if (!media) continue;
      const named = Object.values(media.examples ?? {}).map(
        ({ value, $ref }) => value ?? document.components.examples[$ref?.split('/').at(-1) ?? '']?.value,
      );
      for (const value of [...(media.example === undefined ? [] : [media.example]), ...named]) {
        fits(media.schema, value, `${name} ${where}`);
        checked += 1;
      }
    }
  assert.ok(checked > 100, `${checked} examples`);
});

test('what the service answers fits what the document says', async () => {
  const { sandbox } = await service.organization();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const order = await sandbox.order([
    { amount: 1000, category: 'coffee', delivery: { method: 'link' }, personalization: { recipient_name: 'Ada' } },
  ]);
  const answers: [string, unknown][] = [
    ['Order', order.body],
    ['OrderList', (await sandbox.get('/v1/orders')).body],
    ['Gift', (await sandbox.get(`/v1/gifts/${order.body.gifts[0].gift_id}`)).body],
    ['GiftList', (await sandbox.get('/v1/gifts')).body],
    ['CategoryList', (await sandbox.get('/v1/categories')).body],
    ['Health', (await sandbox.get('/v1/health')).body],
    ['ErrorResponse', (await sandbox.get('/v1/gifts/none')).body],
    ['SandboxResetResult', (await sandbox.post('/v1/sandbox/reset')).body],
  ];
  for (const [schema, body] of answers) {
    const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
    assert.ok(validate?.(body), `${schema}: ${ajv.errorsText(validate?.errors)}`);
  }
});
