import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { go, goDriver, goFakeDriver, goModule, missingGo } from './go-command.ts';
import { testWhere } from './test-where.ts';

// The Go client is tested by its own tests; the gate runs them.

testWhere(missingGo())('the Go client is formatted, vetted and passes its tests', async () => {
  assert.equal(await go('gofmt', ['-l', goModule, goDriver, goFakeDriver]), '');
  for (const cwd of [goDriver, goFakeDriver]) assert.equal(await go('go', ['vet', './...'], { cwd }), '');
  assert.equal(await go('go', ['vet', './...']), '');
  // Go's cache of results does not notice that openapi.json changed.
  assert.match(await go('go', ['test', '-count=1', './...']), /^ok /m);
});

test('files of the Go client have at most 300 lines, functions 60', () => {
  const files = globSync([`${goModule}/**/*.go`, `${goDriver}/**/*.go`, `${goFakeDriver}/*.go`]);
  assert.ok(files.length > 20, `${files.length} files`);
  const long = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const functions = text.match(/^func .*?^}$/gms) ?? [];
    const isLong = text.split('\n').length > 301 || functions.some((body) => body.split('\n').length > 60);
    return isLong ? [file] : [];
  });
  assert.deepEqual(long, []);
});
