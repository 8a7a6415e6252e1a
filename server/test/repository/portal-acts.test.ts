import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { changesOf } from '../../../portal/src/api/changes.ts';
import { describedRoutes } from '../harness/described-operations.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { startTestService } from '../harness/test-service.ts';

// After an act, useAct reads again what portal/src/api/changes.ts says of the operations that were sent.

const sources = globSync('portal/src/**/*.{ts,tsx}')
  .filter((path) => !path.endsWith('schema.d.ts'))
  .map((path) => ({ path: path.slice('portal/src/'.length), text: readFileSync(path, 'utf8') }));
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

const service = openForFile(() => startTestService());
/** The operations of the portal that may change something. */
const actsOf = () =>
  describedRoutes(service.service.app.portalRoutes, 'portal')
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => ({ operation: `${method} ${path}`, address: path }));

/** The constants of addresses. */
const prefixes: Record<string, string> = Object.fromEntries(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?const (\w+_PATH) = ['`]([^'`]+)['`]/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  ),
);
const ofAnyMode = (address: string) => address.replace(/\/(?:live|sandbox)\//, '/{environment}/');
function addressOf(written: string): string {
  const address = written.replace(/^(\w+_PATH)$/, `\${$1}`).replace(/^['`]|['`]$/g, '');
  const filled = address.replace(/\$\{(\w+)\}/g, (_, name: string) => prefixes[name] ?? name);
  return filled === address ? ofAnyMode(address) : addressOf(filled);
}

/** The first word of each query's key, and the address that it reads. */
const reads = sources.flatMap(({ text }) =>
  [...text.matchAll(/queryKey: \['([a-z-]+)'(?:(?!queryKey)[\s\S])*?\bapi\.GET\(\s*(\w+_PATH|'[^']+'|`[^`]+`)/g)].map(
    ([, word = '', address = '']) => ({ word, address: addressOf(address) }),
  ),
);

test('useMutation is called by useAct only', () => {
  assert.deepEqual(filesWith(/\buseMutation\b/), ['ui/use-act.ts']);
});

test('lists are read again by useAct, and where no act of this page changed them', () => {
  assert.deepEqual(filesWith(/\binvalidateQueries\b/).sort(), [
    // Another sign-in.
    'layout/confirmation-dialog.tsx',
    // The server is back.
    'layout/offline-banner.tsx',
    'operator/layout/proof-dialog.tsx',
    // The worker bought the gifts.
    'pages/batches/batch.tsx',
    // A refusal: someone else changed the gift first.
    'pages/gifts/gift-simulations.tsx',
    'ui/use-act.ts',
  ]);
});

test('each operation of the portal that may change something has a row in changes.ts', () => {
  const acts = actsOf();
  assert.ok(acts.length > 100, `${acts.length} operations`);
  const unknown = changesOf('POST /portal/api/unknown');
  assert.deepEqual(
    acts.filter(({ operation }) => changesOf(operation).join() === unknown.join()),
    [],
  );
});

/** Where a list is: the address of one of it is that of the list. */
const placeOf = (address: string) => address.replace(/\/\{\w+\}$/, '');

test('an operation changes at least what is read at its own address', () => {
  assert.ok(reads.length > 40, `${reads.length} queries`);
  const missing = actsOf().flatMap(({ operation, address }) => {
    const changed: readonly string[] = changesOf(operation);
    if (changed.length === 0 || changed.includes('everything')) return [];
    const above = reads.filter((read) => `${ofAnyMode(address)}/`.startsWith(`${placeOf(read.address)}/`));
    const nearest = Math.max(...above.map((read) => placeOf(read.address).length));
    return above
      .filter((read) => placeOf(read.address).length === nearest && !changed.includes(read.word))
      .map(({ word }) => `${operation}: ${word}`);
  });
  assert.deepEqual(missing, []);
});

test('each word that an operation may change begins the key of a query', () => {
  const [, list = ''] = /type PortalWord =([^;]+);/.exec(readFileSync('portal/src/api/query-words.ts', 'utf8')) ?? [];
  const words = [...list.matchAll(/'([a-z-]+)'/g)].map(([, word = '']) => word);
  assert.ok(words.length > 30, `${words.length} words`);
  assert.deepEqual(
    words.filter((word) => !sources.some(({ text }) => text.includes(`queryKey: ['${word}'`))),
    [],
  );
});
