import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { checkBeforeLive } from '../../../src/surfaces/doctor/before-live.ts';
import { checkBackup, findArchiveFault } from '../../../src/surfaces/doctor/check-backup.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization, testConfig } from '../../harness/test-service.ts';

/** What `bestow doctor --before-live` adds. */

const service = openForFile(() => startTestService());
const DAY_MS = 86_400_000;

const READY = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://gifts.example.com',
  TRUST_PROXY: '127.0.0.1',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'gifts@example.com',
  LINK_SECRET: 'a secret of thirty-two characters',
};

async function stateOf(check: string, variables: Record<string, string> = {}): Promise<[string?, string?]> {
  const { database } = service.service.deps;
  const findings = await checkBeforeLive(testConfig({ ...READY, ...variables }), database);
  const found = findings.find((finding) => finding.check === check);
  return found === undefined ? [] : [found.state, found.found];
}

test('settings of a trial are faults', async () => {
  for (const [check, variables] of [
    ['live: production', { NODE_ENV: '' }],
    ['live: production', { ALLOW_SIMULATED_LIVE: '1' }],
    ['live: mail', { SMTP_URL: '', MAIL_FROM: '' }],
    ['live: address', { PUBLIC_URL: '' }],
    ['live: address', { PUBLIC_URL: 'http://gifts.example.com' }],
    ['live: address', { PUBLIC_URL: 'https://localhost:8443' }],
    ['live: proxy', { TRUST_PROXY: '' }],
  ] as const) {
    assert.equal((await stateOf(check))[0], 'ok', check);
    assert.equal((await stateOf(check, variables))[0], 'fault', `${check} ${JSON.stringify(variables)}`);
  }
});

test('a relay on this machine is a fault until PUBLIC_URL is set', async () => {
  assert.equal((await stateOf('live: mail', { PUBLIC_URL: '' }))[0], 'ok');
  assert.equal((await stateOf('live: address', { PUBLIC_URL: '' }))[1], 'PUBLIC_URL is not set');
});

test('every category of every organization that may order needs an issuer', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const { deps } = own.service;
  const state = async () => {
    const findings = await checkBeforeLive(testConfig(READY), deps.database);
    const { state, found } = findings.find(({ check }) => check === 'live: issuers') ?? assert.fail();
    return [state, found];
  };
  assert.deepEqual(await state(), ['fault', 'no organization']);
  const [first, second] = [await own.organization(), await own.organization()];
  const add = ({ organizationUuid: organizationId }: TestOrganization, categoryId?: string) =>
    addIssuer(deps, { organizationId, categoryId, kind: 'codes', settings: {}, actor: OPERATOR });
  await add(first);
  assert.match(`${await state()}`, /^fault,missing for coffee of .*, books of .*, travel of /);
  await add(second, 'coffee');
  await add(second, 'books');
  assert.match(`${await state()}`, /^fault,missing for travel of [^,]*$/);
  await suspendOrganization(deps, { organizationId: second.organizationId, holdsGifts: false, actor: OPERATOR });
  assert.deepEqual(await state(), ['ok', 'every organization has one for each category']);
});

test('a public address that does not answer is a fault', async () => {
  const [state, found] = await stateOf('live: public answer', { PUBLIC_URL: 'https://gifts.invalid' });
  assert.equal(state, 'fault');
  assert.match(`${found}`, /^https:\/\/gifts\.invalid: /);
});

test('a backup is a file that is not old, or a working archive', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-backup-'));
  const backupFile = join(directory, 'bestow.dump');
  const nowMs = service.clock.now();
  const [server = assert.fail()] = service.service.deps.database.shards;
  const state = async (variables: Partial<Parameters<typeof checkBackup>[0]> = {}) =>
    (await checkBackup({ backupFile, servers: [server], nowMs, need: 'fault', ...variables }))[0]?.state;
  assert.equal(await state(), 'fault', 'missing');
  await writeFile(backupFile, '');
  assert.equal(await state(), 'fault', 'empty');
  await writeFile(backupFile, 'dump');
  for (const [days, expected] of [
    [1, 'ok'],
    [2, 'fault'],
    [-2, 'fault'],
  ] as const) {
    const writtenAt = new Date(nowMs - days * DAY_MS);
    await utimes(backupFile, writtenAt, writtenAt);
    assert.equal(await state(), expected, `${days} days old`);
  }
  assert.equal(await state({ backupFile: directory }), 'fault', 'a directory');
  await rm(directory, { recursive: true });
  for (const need of ['fault', 'warning', undefined] as const)
    assert.equal(await state({ backupFile: undefined, need }), need, 'neither a file nor an archive');
  const at = (days: number) => new Date(nowMs - days * DAY_MS);
  for (const [mode, archivedDays, failedDays, isFine] of [
    ['on', 0, 3, true],
    ['on', 1, 0, false],
    ['on', 2, 3, false],
    ['off', 0, 3, false],
  ] as const) {
    const archive = { mode, archived_at: at(archivedDays), failed_at: at(failedDays) };
    assert.equal(findArchiveFault(archive, nowMs) === undefined, isFine, JSON.stringify(archive));
  }
});
