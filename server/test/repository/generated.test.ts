import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { clientFiles } from '../generated/clients/client-files.ts';
import { generatedFiles, readCommitted } from '../generated/generated-files.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';

let service: TestService;
let files: Map<string, string>;
before(async () => {
  service = await startTestService();
  files = await generatedFiles(service);
});
after(() => service.close());

const compared = [
  'openapi.json',
  'portal/src/api/schema.d.ts',
  'portal/src/operator/api/schema.d.ts',
  'server/src/platform/database/schema.md',
  'server/src/platform/languages/text-arguments.ts',
  'sdk/airbyte/manifest.yaml',
  'sdk/src/fake/rules.ts',
  'sdk/python/src/bestow_sdk/_fake/rules.json',
  'sdk/go/bestowtest/rules.json',
  'sdk/src/schema.d.ts',
  'docs/configuration.md',
  'docs/sandbox.md',
  'docs/commands.md',
  'docs/events.md',
  'docs/roles.md',
  'docs/decisions.md',
  'docs/performance.md',
  'README.md',
  ...clientFiles(await readCommitted('openapi.json')).keys(),
];

for (const path of compared)
  test(`${path} is what “npm run generate” writes`, async () => {
    assert.equal(files.get(path), await readCommitted(path));
  });

test('no generated file is left out of the comparison', () => {
  assert.deepEqual([...files.keys()], compared);
});

test('no file of a client is left from an earlier document', async () => {
  const left = [];
  for (const path of globSync('sdk/{go,python/src/bestow_sdk}/**/*.{go,py}'))
    if (/Code generated from openapi\.json/.test(await readCommitted(path)) && !files.has(path)) left.push(path);
  assert.deepEqual(left, []);
});
