import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OperatorError } from '../../src/base/operator-error.ts';
import { linkSecretsOf } from '../../src/redemption/link-secret.ts';

let dataDir: string;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bestow-secret-'));
});
after(() => rm(dataDir, { recursive: true }));

const alone = (directory = dataDir) => ({ linkSecrets: [], databaseUrl: undefined, dataDir: directory });

test('configured secrets are used, and none is created', async () => {
  const linkSecrets = ['the first', 'the second'];
  assert.deepEqual(await linkSecretsOf({ ...alone(), linkSecrets }), linkSecrets);
  assert.deepEqual(await linkSecretsOf({ ...alone(), linkSecrets, databaseUrl: 'postgres://elsewhere' }), linkSecrets);
  assert.deepEqual(await readdir(dataDir), []);
});

test('a secret must be configured for a shared database', async () => {
  await assert.rejects(linkSecretsOf({ ...alone(), databaseUrl: 'postgres://elsewhere' }), (error) => {
    return error instanceof OperatorError && /^LINK_SECRET must be set \(32 characters or more\)/.test(error.message);
  });
  assert.deepEqual(await readdir(dataDir), []);
});

test('otherwise a 256-bit secret is created once, readable only by its owner', async () => {
  const [secret = ''] = await linkSecretsOf(alone());
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(await linkSecretsOf(alone()), [secret]);
  assert.deepEqual(await readdir(dataDir), ['link-secret'], 'no draft is left');
  assert.equal(await readFile(join(dataDir, 'link-secret'), 'utf8'), `${secret}\n`);
  assert.equal((await stat(join(dataDir, 'link-secret'))).mode & 0o777, 0o600);
});

test('an existing secret is kept, and file errors are reported', async () => {
  await writeFile(join(dataDir, 'link-secret'), 'of another process\n');
  assert.deepEqual(await linkSecretsOf(alone()), ['of another process']);
  await assert.rejects(linkSecretsOf(alone(join(dataDir, 'nowhere'))), { code: 'ENOENT' });
  await assert.rejects(linkSecretsOf(alone(join(dataDir, 'link-secret'))), { code: 'ENOTDIR' });
});
