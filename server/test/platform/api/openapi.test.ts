import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { judgeAnswer } from '../../harness/judge-answer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// The description is OpenAPI 3.1, version 1.0.0, and complete.

interface Response {
  description: string;
  headers?: Record<string, { required?: boolean }>;
  content?: Content;
}

interface Operation {
  operationId: string;
  description: string;
  security: unknown[];
  responses: Record<string, Response>;
  'x-errors': Record<string, string[]>;
  requestBody?: { content: Content };
  'x-mockable'?: boolean;
  parameters?: { $ref?: string; name?: string; required?: boolean }[];
}
type Content = Record<
  string,
  { schema: object; example?: unknown; examples?: Record<string, { value?: unknown; $ref?: string }> }
>;

interface Document {
  openapi: string;
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  components: {
    schemas: Record<string, object>;
    examples: Record<string, { value: unknown }>;
    headers: Record<string, { required?: boolean }>;
    responses: Record<string, Response>;
  };
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

test('every operation is there, and nothing else', () => {
  assert.deepEqual(
    operations()
      .map(({ name }) => name)
      .sort(),
    [
      'DELETE /v1/contacts/{contact_id}',
      'DELETE /v1/webhook_endpoints/{endpoint_id}',
      'GET /v1/balance',
      'GET /v1/balance/entries',
      'GET /v1/balance/statements/{month}',
      'GET /v1/categories',
      'GET /v1/contacts',
      'GET /v1/contacts/{contact_id}',
      'GET /v1/events',
      'GET /v1/gifts',
      'GET /v1/gifts/{gift_id}',
      'GET /v1/health',
      'GET /v1/ledger/checkpoint',
      'GET /v1/ledger/proof',
      'GET /v1/openapi.json',
      'GET /v1/orders',
      'GET /v1/orders/{order_id}',
      'GET /v1/webhook_endpoints',
      'GET /v1/webhook_endpoints/{endpoint_id}',
      'GET /v1/webhook_endpoints/{endpoint_id}/deliveries',
      'PATCH /v1/webhook_endpoints/{endpoint_id}',
      'POST /v1/gifts/{gift_id}/cancel',
      'POST /v1/gifts/{gift_id}/link',
      'POST /v1/gifts/{gift_id}/resend',
      'POST /v1/gifts/{gift_id}/schedule',
      'POST /v1/orders',
      'POST /v1/orders/{order_id}/cancel',
      'POST /v1/sandbox/gifts/{gift_id}/claim',
      'POST /v1/sandbox/gifts/{gift_id}/deliver',
      'POST /v1/sandbox/gifts/{gift_id}/open',
      'POST /v1/sandbox/gifts/{gift_id}/spend',
      'POST /v1/sandbox/reset',
      'POST /v1/webhook_endpoints',
      'POST /v1/webhook_endpoints/{endpoint_id}/deliveries/{event_id}/resend',
      'POST /v1/webhook_endpoints/{endpoint_id}/enable',
      'POST /v1/webhook_endpoints/{endpoint_id}/resend',
      'POST /v1/webhook_endpoints/{endpoint_id}/rotate_secret',
      'POST /v1/webhook_endpoints/{endpoint_id}/test',
      'PUT /v1/contacts',
      'PUT /v1/gifts/{gift_id}/delivery',
    ],
  );
});

test('every POST beyond the contract takes an optional Idempotency-Key', () => {
  const without = operations().filter(
    ({ name, operation: { parameters = [] } }) =>
      /^POST/.test(name) && !parameters.some((one) => one.name === 'Idempotency-Key' && one.required !== true),
  );
  assert.deepEqual(without.map(({ name }) => name).sort(), [
    // The contract requires it here, and does not know it in the sandbox.
    'POST /v1/orders',
    'POST /v1/sandbox/gifts/{gift_id}/claim',
    'POST /v1/sandbox/gifts/{gift_id}/deliver',
    'POST /v1/sandbox/gifts/{gift_id}/open',
    'POST /v1/sandbox/gifts/{gift_id}/spend',
    'POST /v1/sandbox/reset',
    // It changes nothing, and a retry must test again.
    'POST /v1/webhook_endpoints/{endpoint_id}/test',
  ]);
});

/** The answer of a status, which may be shared with other operations. */
const answerOf = ({ responses }: Operation, status: string): Response | undefined => {
  const { $ref } = (responses[status] ?? {}) as { $ref?: string };
  return $ref === undefined ? responses[status] : document.components.responses[$ref.split('/').at(-1) ?? ''];
};

test('every code that an operation answers stands under its status, with an example', () => {
  for (const { name, operation } of operations()) {
    const isPublic = operation.security.length === 0;
    const always = ['400', '413', '429', '500', ...(isPublic ? [] : ['401', '403', '404', '422'])];
    for (const status of always) assert.ok(operation['x-errors'][status]?.length, `${name} has no ${status}`);
    const declared = Object.keys(operation.responses).filter((status) => !/^20[01]$|^default$/.test(status));
    assert.deepEqual(declared, Object.keys(operation['x-errors']), name);
    for (const [status, codes] of Object.entries(operation['x-errors'])) {
      const shared = `#/components/responses/${STATUS_CODES[status]?.replaceAll(' ', '')}`;
      assert.deepEqual(operation.responses[status], { $ref: shared }, name);
      const answer = answerOf(operation, status);
      for (const code of codes) {
        assert.ok(answer?.content?.['application/json']?.examples?.[code], `${name} ${status} has no ${code}`);
        assert.ok(answer.description.includes(`\`${code}\``), `${name} ${status} does not name ${code}`);
      }
    }
    assert.deepEqual(operation.responses['default'], { $ref: '#/components/responses/Error' }, name);
    assert.ok(operation.description.length > 20, name);
  }
});

test('every answer has its headers; those that are always there are required', () => {
  const { headers, responses } = document.components;
  assert.deepEqual(
    Object.entries(headers).map(([header, { required = false }]) => [header, required]),
    [
      ['Request-Id', true],
      ['RateLimit-Policy', false],
      ['RateLimit', false],
    ],
  );
  const all = operations().flatMap(({ name, operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => [`${name} ${status}`, answer] as const),
  );
  for (const [where, answer] of [...all, ...Object.entries(responses)])
    if (!('$ref' in (answer ?? {})))
      for (const header of Object.keys(headers)) assert.ok(answer?.headers?.[header], `${where} has no ${header}`);
  const having = (header: string) => Object.keys(responses).filter((name) => responses[name]?.headers?.[header]);
  assert.deepEqual(having('Retry-After'), ['Conflict', 'TooManyRequests', 'InternalServerError', 'Error']);
  assert.deepEqual(having('WWW-Authenticate'), ['Unauthorized', 'Error']);
  const replay = document.paths['/v1/orders']?.['post']?.responses['200'];
  assert.equal(replay?.headers?.['Idempotent-Replayed']?.required, true);
});

test('the address of the service is a variable with PUBLIC_URL as its default', async () => {
  const second = await service.second({ PUBLIC_URL: 'https://gifts.example/shop' });
  const { body } = await second.api().get('/v1/openapi.json');
  assert.equal(body.servers[0].url, '{base_url}');
  assert.equal(body.servers[0].variables.base_url.default, 'https://gifts.example/shop');
  assert.equal(
    body.components.examples.api_key_missing.value.error.doc_url,
    'https://gifts.example/shop/docs/errors#api_key_missing',
  );
  await second.close();
});

test('no text of the document has a hole', () => {
  assert.doesNotMatch(JSON.stringify(document), /undefined|\[object /);
});

test('the document is small: generators copy its description into every file', () => {
  assert.ok(document.info.description.length < 200);
  assert.ok(JSON.stringify(document, null, 2).length < 8_300 * operations().length);
});

const sandboxText = ({ tags }: Document) => tags.find(({ name }) => name === 'Sandbox')?.description ?? '';

test('both steerable operations have x-mockable; the tag Sandbox has the table', () => {
  const mockable = operations().filter(({ operation }) => operation['x-mockable']);
  assert.deepEqual(
    mockable.map(({ name }) => name),
    ['POST /v1/orders', 'PUT /v1/gifts/{gift_id}/delivery'],
  );
  for (const address of ['delivery-failed@sandbox.gift.test', '+12025550107'])
    assert.ok(sandboxText(document).includes(address), address);
});

test('the failed-delivery address follows SANDBOX_MAIL_DOMAIN', async () => {
  const other = await service.second({ SANDBOX_MAIL_DOMAIN: 'try.example.org' });
  const { body } = await other.api().get('/v1/openapi.json');
  assert.ok(sandboxText(body).includes('delivery-failed@try.example.org'));
  await other.close();
});

test('a discriminator maps each value to its schema, for typed clients', () => {
  const mapping = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).map(([value, name]) => [value, `#/components/schemas/${name}`]));
  const { DeliveryInput, RedirectInput } = document.components.schemas as Record<string, { discriminator?: unknown }>;
  assert.deepEqual(DeliveryInput?.discriminator, {
    propertyName: 'method',
    mapping: mapping({ email: 'EmailDelivery', phone: 'PhoneDelivery', link: 'LinkDelivery' }),
  });
  assert.deepEqual(RedirectInput?.discriminator, {
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
      ...Object.keys(operation.responses).map((status) => [status, answerOf(operation, status)?.content] as const),
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
  // The client of all tests holds every answer against the document (judge-answer.ts).
  const { body } = await sandbox.order([
    { amount: 1000, category: 'coffee', delivery: { method: 'link' }, personalization: { recipient_name: 'Ada' } },
  ]);
  for (const path of ['orders', `gifts/${body.gifts[0].gift_id}`, 'gifts', 'categories', 'health', 'gifts/none'])
    await sandbox.get(`/v1/${path}`);
  await sandbox.post('/v1/sandbox/reset');
});

test('the judge of answers finds what the document does not name', () => {
  const judge = (status: number, body: unknown, headers: Record<string, string> = { 'request-id': 'req_1' }) =>
    judgeAnswer('GET', '/v1/health?x', { status, headers: new Headers(headers), body });
  const failure = (code: string) => ({ error: { type: 'api_error', code, message: 'No.', request_id: 'req_1' } });
  judge(200, { status: 'ok' });
  judge(500, failure('internal_error'), { 'request-id': 'req_1', 'retry-after': '1' });
  judge(502, 'Bad gateway', {});
  assert.throws(() => judge(200, { status: 'ok', load: 1 }), /additional properties/);
  assert.throws(() => judge(200, {}), /required property 'status'/);
  assert.throws(() => judge(204, ''), /not in openapi.json/);
  assert.throws(() => judge(500, { error: 'no' }), /must be object/);
  assert.throws(() => judge(404, failure('sandbox_missing')), /is not in openapi.json/);
  assert.throws(() => judge(503, failure('internal_error')), /is not in openapi.json/);
});
