import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyAll } from '../../server/test/harness/ledger.ts';
import { exchange } from '../fuzz/exchange.ts';
import { openSite, type Site } from '../fuzz/generator/site.ts';
import { checkRequests } from '../fuzz/generator/suite.ts';
import { type Tampering, tampered, withHeader } from '../fuzz/tamper.ts';

// The short form of `npm run fuzz -- --only requests`, always with the same requests.

const SEED = 20_261_121;
const COUNT = 5_000;

let site: Site;
before(async () => {
  site = await openSite();
});
after(() => site.service.close());

test(`${COUNT} generated requests are answered as the description says, and money adds up`, async () => {
  assert.deepEqual(await checkRequests(site, exchange, { seed: SEED, count: COUNT, say: () => undefined }), []);
  await verifyAll(site.service);
});

/** Each is a service with one fault; the last is what the finding says of it. */
const lies: [name: string, tampering: Tampering, finding: RegExp][] = [
  [
    'a 500 that nobody steered',
    ({ operationId }, { status, body }) =>
      operationId === 'listGifts' && status === 200 ? { status: 500, body: { error: body } } : undefined,
    /500 .* where 200 is due/,
  ],
  [
    'no Request-Id',
    ({ operationId }, answer) =>
      operationId === 'listOrders' ? { headers: withHeader(answer, 'request-id', undefined) } : undefined,
    /GET \/v1\/orders/,
  ],
  [
    'another content type',
    ({ operationId }, answer) =>
      operationId === 'getHealth' ? { headers: withHeader(answer, 'content-type', 'text/plain') } : undefined,
    /text\/plain/,
  ],
  [
    'a header that is not described',
    (_, answer) => ({ headers: withHeader(answer, 'x-powered-by', 'Bestow') }),
    /x-powered-by is not in the description/,
  ],
  [
    'a field too many',
    ({ operationId }, { status, body }) =>
      operationId === 'retrieveGift' && status === 200 ? { body: { ...body, organization_id: 'org_1' } } : undefined,
    /the body is not as described/,
  ],
  [
    'a field too few',
    ({ operationId }, { status, body }) =>
      operationId === 'createOrder' && status === 201 ? { body: { ...body, status: undefined } } : undefined,
    /the body is not as described/,
  ],
  [
    'a status that is not due',
    ({ operationId }, { status }) => (operationId === 'retrieveOrder' && status === 200 ? { status: 201 } : undefined),
    /201 where 200 is due/,
  ],
  [
    'an invalid body accepted',
    ({ operationId }, { status, body }) =>
      operationId === 'simulateDelivery' && body?.error?.code === 'parameter_invalid' && status === 422
        ? { status: 200, body: {} }
        : undefined,
    /200 where parameter_invalid is due/,
  ],
  [
    'the wrong field named',
    ({ operationId }, { status, body }) =>
      operationId === 'createOrder' && status === 422 && String(body?.error?.param).endsWith('amount')
        ? { body: { error: { ...body.error, param: 'gifts[0].category' } } }
        : undefined,
    /gifts\[0\]\.category/,
  ],
  [
    'a valid body refused',
    ({ operationId }, { status, body }) =>
      operationId === 'redirectGift' && body?.error?.code === 'gift_delivery_not_updatable' && status === 422
        ? { body: { error: { ...body.error, code: 'parameter_invalid', param: 'email' } } }
        : undefined,
    /parameter_invalid.* where /,
  ],
  [
    'a missing header overlooked',
    ({ operationId, headers }, { status, body }) =>
      operationId === 'createOrder' && status === 422 && headers['Idempotency-Key'] === undefined
        ? { body: { error: { ...body.error, code: 'cursor_invalid' } } }
        : undefined,
    /where parameter_invalid is due/,
  ],
  [
    'a wrong method without Allow',
    (_, answer) => (answer.headers.has('allow') ? { headers: withHeader(answer, 'allow', undefined) } : undefined),
    /Allow names the methods/,
  ],
  [
    'a missing key overlooked',
    ({ operationId, headers }, { status }) =>
      operationId === 'listCategories' && status === 401 && headers['Authorization'] === undefined
        ? { status: 200, body: { object: 'list', data: [], has_more: false } }
        : undefined,
    /200 where api_key_missing is due/,
  ],
  [
    'a revoked key that goes on',
    (_, { body }) =>
      body?.error?.code === 'api_key_revoked'
        ? { body: { error: { ...body.error, code: 'resource_missing' } } }
        : undefined,
    /where api_key_revoked is due/,
  ],
  [
    'a replay that does not say so',
    (_, answer) =>
      answer.headers.has('idempotent-replayed')
        ? { headers: withHeader(answer, 'idempotent-replayed', undefined) }
        : undefined,
    /idempotent-replayed: null/,
  ],
  [
    'a replay that is a new order',
    (_, answer) => (answer.headers.has('idempotent-replayed') ? { status: 201 } : undefined),
    /201 where 200 is due/,
  ],
  [
    'a gift that outlives its reset',
    ({ operationId, path }) =>
      operationId === 'useAfterReset' && path.startsWith('/v1/gifts/') ? { status: 200, body: {} } : undefined,
    /what was deleted is used/,
  ],
];

for (const [name, tampering, finding] of lies)
  test(`the generator finds ${name}, and shows the smallest request and what replays it`, async () => {
    const send = tampered(exchange, tampering);
    const [found = ''] = await checkRequests(site, send, { seed: SEED, count: 2_000, say: () => undefined });
    assert.match(found, finding);
    assert.match(found, /^ {4}(?:GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD) \/v1\//m);
    assert.match(found, new RegExp(`seed ${SEED}, path \\d+`));
  });
