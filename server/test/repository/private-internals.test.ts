import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { triedVersions } from '../../src/platform/base/private-internals.ts';

const require = createRequire(new URL('../../package.json', import.meta.url));

function installedVersion(name: string): string {
  for (const folder of require.resolve.paths(name) ?? [])
    try {
      return (JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string }).version;
    } catch {
      // Installed in another folder.
    }
  return 'not installed';
}

for (const [name, version] of Object.entries(triedVersions))
  test(`private parts of ${name} were tried with the installed version`, () => {
    assert.equal(installedVersion(name), version, `Try base/private-internals.ts with the new ${name}.`);
  });

/** Properties that no documentation of Node or of the libraries names. */
const PRIVATE =
  /\b(?:_handle|_httpMessage|_onPendingData|_events|processID|connectionParameters|certCache|buildHeaders|getEnvelope)\b|\.(?:query|matcher|closeIdleConnections) = /;

test('no other file of the server uses private parts', () => {
  const files = globSync('server/src/**/*.ts').filter((path) => !path.endsWith('base/private-internals.ts'));
  assert.ok(files.length > 300, `${files.length} files`);
  assert.deepEqual(
    files.filter((path) => PRIVATE.test(readFileSync(path, 'utf8'))),
    [],
  );
});
