import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientFiles } from '../generated/clients/client-files.ts';
import { clientModel } from '../generated/clients/client-model.ts';
import { readCommitted } from '../generated/generated-files.ts';

// What the clients say is in the words of their language, also if it comes from the document.

const openapi = await readCommitted('openapi.json');

/** The comments of the generated files of a client. */
function comments(folder: string, comment: RegExp): string[] {
  const files = [...clientFiles(openapi)].filter(([path]) => path.startsWith(folder));
  return files.flatMap(([path, text]) => [...text.matchAll(comment)].map(([said]) => `${path}: ${said}`));
}

test('no comment of the Go client has words of HTTP, JSON or another language', () => {
  // `MarshalJSON` is about JSON itself.
  const said = comments('sdk/go/', /^\s*\/\/(?! MarshalJSON).*$/gm);
  assert.ok(said.length > 300);
  const foreign = /\b(null|undefined|None|without a body|\w+_before|\w+_after|verifyStatement|SDK)\b|expand=|\bGET \//;
  assert.deepEqual(
    said.filter((one) => foreign.test(one)),
    [],
  );
});

test('no comment of the Python client has words of HTTP, JSON or another language', () => {
  const said = comments('sdk/python/', /"""[^"]*(?:"[^"]+"[^"]*)*?"""/g);
  assert.ok(said.length > 200);
  const foreign = /\b(null|undefined|nil|without a body|verifyStatement|SDK)\b|expand=(?!\[)|\bGET \/v1\/categories/;
  assert.deepEqual(
    said.filter((one) => foreign.test(one)),
    [],
  );
});

test('each client names the codes of the errors of an order', async () => {
  const { errors = [] } = clientModel(openapi).operations.find(({ id }) => id === 'createOrder') ?? {};
  assert.ok(errors.length > 0);
  const files = {
    'sdk/src/methods.ts': '@throws ApiError',
    'sdk/go/place_orders.go': '',
    'sdk/python/src/bestow_sdk/_async/orders.py': '',
  };
  for (const [path, beginning] of Object.entries(files)) {
    const text = (await readCommitted(path)).replaceAll(/\s+(\/\/ |\* )?/g, ' ').replaceAll('`', '');
    assert.ok(text.includes(`${beginning || 'Codes of its errors:'} ${errors.join(', ')}`), path);
  }
});
