import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generatedFiles, readCommitted } from './generated/generated-files.ts';
import { startTestService, type TestService } from './harness/test-service.ts';

let service: TestService;
let files: Map<string, string>;
before(async () => {
  service = await startTestService();
  files = await generatedFiles(service);
});
after(() => service.close());

for (const path of [
  'openapi.json',
  'server/src/database/schema.md',
  'sdk/src/schema.d.ts',
  'README.md',
  'docs/configuration.md',
  'docs/sandbox.md',
])
  test(`${path} is what the code makes: run «npm run generate» and look at the difference`, async () => {
    assert.equal(files.get(path), await readCommitted(path));
  });

test('no generated file is left out of the comparison', () => {
  assert.equal(files.size, 8);
});
