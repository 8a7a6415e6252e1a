import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Collection } from '../../../src/capabilities/docs/collection.ts';
import type { ReferenceDocument } from '../../../src/capabilities/docs/reference-document.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// The collection for Postman, Bruno and others; `npm run clients` runs it with their tools.

interface Sent {
  method: string;
  header: { key: string; value: string }[];
  body?: { raw: string };
  url: { path: string[]; query: { key: string }[] };
}

const service = openForFile(() => startTestService());

async function open() {
  const read = async (path: string) => (await (await fetch(`${service.url}${path}`)).json()) as unknown;
  const collection = (await read('/sdk/bestow.postman_collection.json')) as Collection;
  const document = (await read('/v1/openapi.json')) as ReferenceDocument;
  const items = collection.item.flatMap(({ item }) => item.map((one) => ({ ...one, request: one.request as Sent })));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const nameOf = ({ method, url }: Sent) =>
    `${method} /${url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`;
  return {
    collection,
    items: new Map(items.map((item) => [nameOf(item.request), item])),
    count: items.length,
    operations,
  };
}

test('every operation is in the collection exactly once, under a name of its own', async () => {
  const { items, count, operations } = await open();
  assert.deepEqual([...items.keys()].sort(), operations.map(({ name }) => name).sort());
  assert.equal(count, operations.length);
  assert.equal(new Set([...items.values()].map(({ name }) => name)).size, count);
});

test('every request has the body, parameters and key of its operation', async () => {
  const { items, operations } = await open();
  for (const { name, operation } of operations) {
    const { request } = items.get(name) ?? assert.fail(name);
    const { parameters = [], requestBody } = operation;
    const examples = Object.values(requestBody?.content['application/json'].examples ?? {});
    assert.deepEqual(request.body && JSON.parse(request.body.raw), examples[0]?.value, name);
    const query = parameters.filter((parameter) => parameter.in === 'query');
    assert.deepEqual(
      request.url.query.map(({ key }) => key),
      query.map((parameter) => parameter.name),
      name,
    );
    const key = parameters.find((parameter) => parameter.name === 'Idempotency-Key');
    const sent = request.header.find((header) => header.key === 'Idempotency-Key')?.value;
    assert.equal(sent, key && `{{${operation.operationId}_key}}`, name);
  }
});

test('a request makes one key, and keeps it until an answer of the service is final', async () => {
  const { items } = await open();
  const { event = [] } = items.get('POST /v1/orders') ?? assert.fail();
  const variables = new Map<string, string>();
  let sentAgain = 0;
  function runScript(listen: string, answer?: { code: number; headers: Record<string, string> }): void {
    const script = event.find((one) => one.listen === listen)?.script.exec.join('\n') ?? assert.fail(listen);
    const pm = {
      test: (_name: string, check: () => void) => check(),
      collectionVariables: variables,
      variables: { replaceIn: () => crypto.randomUUID() },
      info: { requestName: 'Place an order' },
      execution: { setNextRequest: () => (sentAgain += 1) },
      response: answer && {
        code: answer.code,
        headers: new Headers(answer.headers),
        json: () => ({ order_id: 'ord_1' }),
      },
    };
    new Function('pm', 'setTimeout', script)(pm, () => undefined);
  }
  const key = () => variables.get('createOrder_key');
  runScript('prerequest');
  const first = key();
  const ours = { 'Request-Id': 'req_1' };
  const unknown = [
    { code: 502, headers: {} },
    { code: 429, headers: { ...ours, 'Retry-After': '1' } },
    { code: 500, headers: ours },
  ];
  for (const answer of unknown) {
    runScript('test', answer);
    runScript('prerequest');
    assert.equal(key(), first);
  }
  assert.equal(sentAgain, unknown.length);
  runScript('test', { code: 201, headers: ours });
  runScript('prerequest');
  assert.notEqual(key(), first);
  assert.deepEqual([sentAgain, variables.get('order_id')], [unknown.length, 'ord_1']);
});
