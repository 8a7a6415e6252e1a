import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { clientRoutes } from '../../../src/capabilities/docs/client-routes.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// A release is a folder of packages; an upgrade is a server with another folder and the same database.

const service = openForFile(() => startTestService());

const GO = 'go/bestow.example/bestow/@v';

async function startRelease(version: string, content = `of ${version}`) {
  const folder = await mkdtemp(join(tmpdir(), 'bestow-release-'));
  const names = [`bestow-sdk-${version}.tgz`, `bestow_sdk-${version}-py3-none-any.whl`, `${GO}/v${version}.zip`];
  const others = [`${GO}/v${version}.mod`, `${GO}/list`, 'SHA256SUMS', 'CHANGELOG-go.md'];
  for (const name of [...names, ...others]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const app = Fastify();
  clientRoutes(app, service.service.deps, folder);
  return async (path: string) => {
    const { statusCode, body } = await app.inject(path);
    return statusCode === 200 ? body : statusCode;
  };
}

test('an upgrade takes no version of a client away, and lists name all of them', async () => {
  const earlier = await startRelease('7.0.0');
  assert.equal(await earlier('/sdk/bestow-sdk-7.0.0.tgz'), 'of 7.0.0');
  const later = await startRelease('7.1.0');
  assert.equal(await later('/sdk.tgz'), 'of 7.1.0');
  for (const server of [later, earlier]) {
    for (const version of ['7.0.0', '7.1.0'])
      for (const name of [`bestow-sdk-${version}.tgz`, `${GO}/v${version}.mod`])
        assert.equal(await server(`/sdk/${name}`), `of ${version}`, name);
    assert.match(String(await server(`/sdk/${GO}/list`)), /^v7\.0\.0\nv7\.1\.0\n/m);
    assert.match(String(await server('/sdk/SHA256SUMS')), /^[0-9a-f]{64} {2}bestow_sdk-7\.0\.0-py3-none-any\.whl$/m);
  }
  assert.equal(await earlier('/sdk.tgz'), 'of 7.0.0');
  assert.equal(await later('/sdk/CHANGELOG-go.md'), 'of 7.1.0');
});

test('a version keeps the bytes with which it was served first, also if two releases begin at once', async () => {
  const servers = [await startRelease('8.0.0', 'first'), await startRelease('8.0.0', 'second')];
  const answers = await Promise.all(servers.map((server) => server('/sdk/bestow-sdk-8.0.0.tgz')));
  assert.equal(answers[0], answers[1]);
  const later = await startRelease('8.0.0', 'third');
  assert.deepEqual(await Promise.all([later('/sdk.tgz'), later('/sdk/bestow-sdk-8.0.0.tgz')]), answers);
});

test('a name that was never served is 404', async () => {
  const server = await startRelease('9.0.0');
  for (const name of ['bestow-sdk-9.0.1.tgz', 'other/@v/list', '%00.tgz', `${'x'.repeat(500)}.zip`, '..%2Fx.tgz', ''])
    assert.equal(await server(`/sdk/${name}`), 404, name);
});
