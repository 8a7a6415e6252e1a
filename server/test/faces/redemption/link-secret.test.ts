import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { linkSecretsOf } from '../../../src/platform/installation/link-secret.ts';

let dataDir: string;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bestow-secret-'));
});
after(() => rm(dataDir, { recursive: true }));

const none = { gifts: [], codes: [], sessions: [], ledger: [] };
const alone = (directory = dataDir) => ({
  linkSecrets: [] as string[],
  purposeSecrets: none as Record<keyof typeof none, string[]>,
  databaseUrls: [],
  dataDir: directory,
});
/** `openssl rand -hex 32`, and the shortest that is allowed. */
const random = () => randomBytes(32).toString('hex');

test('configured secrets are used, and none is created', async () => {
  const linkSecrets = [random(), random()];
  assert.deepEqual(await linkSecretsOf({ ...alone(), linkSecrets }), linkSecrets);
  assert.deepEqual(
    await linkSecretsOf({ ...alone(), linkSecrets, databaseUrls: ['postgres://elsewhere'] }),
    linkSecrets,
  );
  assert.deepEqual(await readdir(dataDir), []);
});

test('a secret must be configured for a shared database', async () => {
  await assert.rejects(linkSecretsOf({ ...alone(), databaseUrls: ['postgres://elsewhere'] }), (error) => {
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

test('a secret that can be guessed is refused, unless a better one signs', async () => {
  const weak = [
    'a'.repeat(32),
    'abcd'.repeat(16),
    '0123456789'.repeat(4),
    'abcdefghijklmnopqrstuvwxyzABCDEFG',
    'correct-horse'.repeat(3),
    'password-of-the-service-for-gifts',
    'please-change-me-before-production',
    'REPLACE-ME-WITH-32-CHARACTERS-OR-MORE',
  ];
  for (const secret of weak) {
    const refused = /^Error: LINK_SECRET is (?:easy to guess|a published example), .*openssl rand -hex 32\.$/;
    await assert.rejects(linkSecretsOf({ ...alone(), linkSecrets: [secret] }), refused, secret);
  }
  const [guessed = ''] = weak;
  const strong = random();
  assert.deepEqual(await linkSecretsOf({ ...alone(), linkSecrets: [strong, guessed] }), [strong, guessed]);
  const published = 'for-this-machine-only-change-it-before-use';
  await assert.rejects(linkSecretsOf({ ...alone(), linkSecrets: [strong, published] }), /a published example/);
  const ofOne = { ...alone(), linkSecrets: [strong], purposeSecrets: { ...none, codes: [guessed] } };
  await assert.rejects(linkSecretsOf(ofOne), /^Error: LINK_SECRET_CODES is easy to guess/);
});

test('random secrets are not refused', async () => {
  // The same bytes at every run, and first a secret that is random although half of it looks like a sequence.
  const drawn = (index: number, length: number) => createHash('sha512').update(`${index}`).digest().subarray(0, length);
  const secrets = ['1901b9bbbca64ddceedff95453376788', 'fEFmCqwERt3Mxdzt9dKvksu9O+FGP+g0'];
  for (let n = 0; n < 2_000; n += 1)
    secrets.push(drawn(n, 16).toString('hex'), drawn(n, 32).toString('hex'), drawn(n, 24).toString('base64'));
  for (const secret of secrets) assert.equal((await linkSecretsOf({ ...alone(), linkSecrets: [secret] }))[0], secret);
});
