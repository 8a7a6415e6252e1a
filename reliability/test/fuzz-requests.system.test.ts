import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exchange, type Tampering, tampered, withHeader } from '../fuzz/exchange.ts';
import { checkRequests, generatedRequests, openTarget, type RequestTarget } from '../fuzz/requests/suite.ts';

const SEED = 20_261_121;
const say = () => undefined;

let target: RequestTarget;
before(async () => {
  target = await openTarget();
});
after(() => target.service.close());

test('5,000 drawn requests get documented and expected answers', async () => {
  assert.deepEqual(await generatedRequests.run({ seed: SEED, count: 5_000, say }), []);
});

/** Each is a service with one fault; the last part is what the finding says. */
const controls: [name: string, tampering: Tampering, finding: RegExp][] = [
  ['an unknown status', (_, { status }) => (status === 200 ? { status: 299 } : undefined), /documents no 299/],
  [
    'an undocumented header',
    (_, answer) => ({ headers: withHeader(answer, 'x-powered-by', 'Bestow') }),
    /documents no header x-powered-by/,
  ],
  [
    'a field too many',
    ({ operationId }, { status, body }) =>
      operationId === 'retrieveGift' && status === 200 ? { body: { ...body, organization_id: 'org_1' } } : undefined,
    /the body is not as documented/,
  ],
  [
    'an accepted invalid body',
    ({ operationId }, { body }) =>
      operationId === 'createOrder' && body?.error?.code === 'parameter_invalid'
        ? { status: 201, body: {} }
        : undefined,
    /success instead of parameter_invalid/,
  ],
  [
    'a refused valid body',
    ({ operationId }, { status, body }) =>
      operationId === 'listOrders' && status === 200
        ? { status: 422, body: { error: { code: 'parameter_invalid', body } } }
        : undefined,
    /parameter_invalid instead of success/,
  ],
  [
    'a call without a key that is answered',
    ({ operationId }, { status, body }) =>
      operationId === 'listCategories' && status === 401
        ? { status: 200, body: { object: 'list', data: [], has_more: false, body } }
        : undefined,
    /success instead of api_key_/,
  ],
];

for (const [name, tampering, finding] of controls)
  test(`the requests suite finds ${name} and prints its seed`, async () => {
    const [found = ''] = await checkRequests(target, tampered(exchange, tampering), { seed: SEED, count: 2_000, say });
    assert.match(found, finding);
    assert.match(found, new RegExp(`seed ${SEED}, path \\d+`));
  });
