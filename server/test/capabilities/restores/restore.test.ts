import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { Bestow } from 'bestow-sdk';
import { pino } from 'pino';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { releaseCodes } from '../../../src/capabilities/issuers/own-codes/set-codes-aside.ts';
import { listStock, uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { finishRestore } from '../../../src/capabilities/restores/finish-restore.ts';
import { listChecks } from '../../../src/capabilities/restores/list-checks.ts';
import { watchHistory } from '../../../src/capabilities/restores/watch-history.ts';
import { parseCheckpoint, takeCheckpoint } from '../../../src/capabilities/seals/checkpoint.ts';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { verifyAudit } from '../../../src/capabilities/seals/verify-audit.ts';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import type { Config } from '../../../src/platform/configuration/config.ts';
import { checkHistory } from '../../../src/surfaces/doctor/check-history.ts';
import { examine } from '../../../src/surfaces/doctor/examine.ts';
import { linkGift } from '../../harness/api-client.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { type RestoredService, startRestoredService } from '../../harness/restored-service.ts';
import type { TestOrganization } from '../../harness/test-service.ts';

// What is safe after the database went back to an earlier time, and `bestow restore finish`.

let history: RestoredService;
beforeEach(async () => {
  history = await startRestoredService();
});
const deps = () => history.now().service.deps;
const finish = (from: Date) => finishRestore(deps(), from, OPERATOR);

const press = (link: string, act: string, headers: Record<string, string> = {}) =>
  fetch(`${history.now().url}/g/${link.slice(-76)}/${act}`, { method: 'POST', redirect: 'manual', headers });

async function orderLink({ live }: TestOrganization): Promise<string> {
  const { body } = await live.order([linkGift()]);
  return body.gifts[0].delivery.link;
}

/** Claims a gift of own codes; returns what its holder sees, or the status of a refusal. */
async function claimCode(link: string): Promise<string> {
  const claimed = await press(link, 'claim');
  if (claimed.status !== 303) return String(claimed.status);
  const cookie = claimed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  return /CODE-\w+/.exec(await (await press(link, 'reveal', { cookie })).text())?.[0] ?? 'none';
}

const actingFor = ({ organizationUuid: organizationId }: TestOrganization) => ({
  organizationId,
  categoryId: 'coffee',
  actor: OPERATOR,
});

test('a code that one person has seen is not handed out again', async () => {
  const organization = await history.now().organization();
  await addIssuer(deps(), { ...actingFor(organization), kind: 'codes', settings: {} });
  const csv = 'value,code,shop\n25.00,CODE-ONE,Shop\n25.00,CODE-TWO,Shop\n25.00,CODE-THREE,Shop\n';
  await uploadCodes(deps(), { ...actingFor(organization), csv });
  const [first, second, third] = [
    await orderLink(organization),
    await orderLink(organization),
    await orderLink(organization),
  ];
  const at = await history.backUp();
  const seen = await claimCode(first);
  assert.match(seen, /^CODE/);
  await history.restore();

  const finished = await finish(at);
  assert.equal(finished.codes_set_aside, 3);
  assert.match(listChecks(finished).join('\n'), /Ask each shop which of the codes/);
  assert.equal(await claimCode(second), '503');
  const [stock] = await listStock(deps(), organization.organizationUuid);
  assert.deepEqual([stock?.in_stock, stock?.set_aside], [0, 3]);

  const found = await Array.fromAsync(examine(deps().config, deps().database, history.now().clock));
  assert.match(JSON.stringify(found), /3 own codes are set aside since a restore/);
  const unused = ['CODE-ONE', 'CODE-TWO', 'CODE-THREE'].filter((code) => code !== seen);
  const file = `shop,code\n${unused.map((code) => `Shop,${code}`).join('\n')}\nShop,CODE-UNKNOWN\n`;
  assert.deepEqual(await releaseCodes(deps(), { ...actingFor(organization), csv: file }), { released: 2 });
  assert.deepEqual(new Set([await claimCode(second), await claimCode(third)]), new Set(unused));
  assert.equal(await claimCode(first), '503');
});

test('a reader of the feed misses no event, and is told which ones never happened', async () => {
  const organization = await history.now().organization();
  const { sandbox, keys } = organization;
  const read = async (after: number) => (await sandbox.get(`/v1/events?after=${after}`)).body;
  await sandbox.order([linkGift()]);
  const { next_after: before } = await read(0);
  const at = await history.backUp();
  for (let orders = 0; orders < 5; orders += 1) await sandbox.order([linkGift()]);
  const { next_after: lost } = await read(0);
  await history.restore();

  const early = await sandbox.get(`/v1/events?after=${lost}`);
  assert.equal(early.body.error.code, 'cursor_invalid');
  assert.match(early.body.error.message, new RegExp(`The last event is ${before}\\..*bestow restore finish`));
  assert.deepEqual((await finish(at)).events_since, 0);
  const placed = await sandbox.order([linkGift()]);

  const atEnd = await read(before);
  assert.deepEqual(
    atEnd.data.map(({ type, data }: { type: string; data: object }) => [type, data]),
    [
      ['database.restored', { restored_to: at.toISOString(), last_sequence: before }],
      ['order.created', { order_id: placed.body.order_id, status: 'processed' }],
    ],
  );
  const [restored] = atEnd.data;
  for (const after of [before + 1, lost, restored.sequence - 2]) {
    const { status, body } = await sandbox.get(`/v1/events?after=${after}`);
    assert.deepEqual([status, body.error.code, body.error.param], [422, 'cursor_invalid', 'after']);
    assert.equal(
      body.error.message,
      `The operator restored the database to ${at.toISOString()}: the events from ${before + 1} on that you read then never happened. Read on from after=${restored.sequence - 1}.`,
    );
  }
  const behind = await read(0);
  assert.deepEqual([behind.next_after, behind.has_more], [before, true]);
  assert.deepEqual((await read(restored.sequence - 1)).data, atEnd.data);

  const gaps: unknown[] = [];
  const stream = new Bestow(keys.sandbox, { baseUrl: history.now().url }).events.stream({
    after: lost,
    onGap: (gap) => void gaps.push(gap),
  });
  const types: string[] = [];
  for await (const { type } of stream) if (types.push(type) && type === 'database.restored') break;
  assert.deepEqual(gaps, [{ after: lost, firstSequence: 1 }]);
  await assert.rejects(
    new Bestow(keys.sandbox, { baseUrl: history.now().url }).events.stream({ after: lost }).next(),
    /never happened/,
  );
});

test('a second run, and a second restore to the same time, give no sequence out twice', async () => {
  const organization = await history.now().organization();
  const { sandbox } = organization;
  const last = async () => (await sandbox.get('/v1/events?types=order.created&after=0')).body.next_after;
  const at = await history.backUp();
  const given: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    await history.now().clock.jump(60_000);
    await history.restore();
    await finish(at);
    const again = await finish(at);
    assert.equal(again.moved_on, 0);
    assert.ok(again.moved_before > 0);
    const events = (await sandbox.get(`/v1/events?after=${await last()}`)).body.data;
    given.push(...events.map(({ sequence }: { sequence: number }) => sequence));
    assert.equal(events.length, 1, 'one restore, one event');
  }
  assert.equal(new Set(given).size, 2);
  await verifyAll(history.now());
});

test('a link that was replaced in the lost time does not open a later recipient’s gift', async () => {
  const organization = await history.now().organization();
  const { body } = await organization.live.order([linkGift()]);
  const path = `/v1/gifts/${body.gifts[0].gift_id}/link`;
  const at = await history.backUp();
  const replace = async () => (await organization.live.post(path)).body.delivery.link;
  const lost = await replace();
  await history.restore();
  await finish(at);
  const later = await replace();
  assert.notEqual(later, lost);
  const open = async (link: string) => (await fetch(`${history.now().url}/g/${link.slice(-76)}`)).status;
  assert.deepEqual([await open(lost), await open(later)], [404, 200]);
});

test('an endpoint cannot begin at an event that never happened', async () => {
  const organization = await history.now().organization();
  const { sandbox } = organization;
  const { body } = await sandbox.post('/v1/webhook_endpoints', { url: 'https://shop.example/hook' });
  const { next_after: before } = (await sandbox.get('/v1/events')).body;
  const at = await history.backUp();
  await history.restore();
  await finish(at);
  const path = `/v1/webhook_endpoints/${body.endpoint_id}/enable`;
  const refused = await sandbox.post(path, { from_sequence: before + 2 });
  assert.equal(refused.status, 422);
  assert.match(
    refused.body.error.message,
    new RegExp(`from_sequence must be ${before + 1} or at least \\d+: those between never happened`),
  );
  assert.equal((await sandbox.post(path, { from_sequence: before + 1 })).status, 200);
});

test('a checkpoint of the lost time is explained, and later ones are of another tree', async () => {
  const organization = await history.now().organization();
  const { live, organizationId } = organization;
  const show = async () => (await live.get('/v1/ledger/checkpoint')).body;
  await live.order([linkGift()]);
  await sealChains(deps());
  const kept = await show();
  const at = await history.backUp();
  for (let orders = 0; orders < 3; orders += 1) await live.order([linkGift()]);
  const lost = await takeCheckpoint(deps());
  const { note: lostNote } = await show();
  await history.restore();
  await finish(at);
  for (let orders = 0; orders < 5; orders += 1) await live.order([linkGift()]);
  await sealChains(deps());

  const now = await show();
  assert.equal(kept.origin, `bestow/ledger/${organizationId}/live`);
  assert.match(now.origin, new RegExp(`^bestow/ledger/${organizationId}/live/led_[0-9a-z]{26}$`));
  assert.equal(parseCheckpoint(now.note)[0]?.rows, now.size);
  assert.deepEqual((await verifyLedger(deps(), parseCheckpoint(kept.note))).culprits, []);
  const explained = new RegExp(
    `the database was restored to ${at.toISOString()}, when the ledger had ${kept.size} rows$`,
  );
  for (const checkpoint of [parseCheckpoint(lostNote), lost]) {
    const { culprits } = await verifyLedger(deps(), checkpoint);
    assert.equal(culprits.length, 1);
    assert.match(culprits[0]?.found ?? '', explained);
  }
  const audit = (await verifyAudit(deps(), lost)).culprits.map(({ found }) => found);
  assert.deepEqual(audit, []);
  const beyond = await live.get(`/v1/ledger/proof?from_size=${now.size + 1}`);
  assert.match(beyond.body.error.message, /A checkpoint with another origin is of another tree\.$/);
});

test('a start and doctor say that the database is older, until the command has run', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-history-'));
  t.after(() => rm(directory, { recursive: true }));
  history = await startRestoredService({ HISTORY_FILE: join(directory, 'new', 'history.json') });
  const organization = await history.now().organization();
  const historyOf = async () => {
    const found = await Array.fromAsync(examine(deps().config, deps().database, history.now().clock));
    return found.find(({ check }) => check === 'history');
  };
  const told = async () => {
    const lines: string[] = [];
    const watch = watchHistory({ ...deps(), log: pino({}, { write: (line) => void lines.push(line) }) });
    await watch.start();
    await watch.stop();
    return lines.filter((line) => line.includes('The database is older than what this server has seen')).length;
  };
  const at = await history.backUp();
  await organization.sandbox.order([linkGift()]);
  await history.now().clock.advance(60_000);
  assert.deepEqual([(await historyOf())?.state, await told()], ['ok', 0]);

  for (let starts = 0; starts < 2; starts += 1) {
    await history.restore();
    assert.deepEqual([(await historyOf())?.state, await told()], ['fault', 1]);
  }
  assert.match((await historyOf())?.advice ?? '', /bestow restore finish --from TIME/);
  await finish(at);
  assert.equal((await historyOf())?.found, 'as remembered');
});

test('a history file where none can be made is told, and nothing waits for it', async () => {
  const told: string[] = [];
  const log = pino({}, { write: (line) => void told.push(JSON.parse(line).msg) });
  const watch = watchHistory({ ...deps(), config: { ...deps().config, historyFile: '/proc/nope/history.json' }, log });
  await watch.start();
  await watch.stop();
  assert.deepEqual(told, ['HISTORY_FILE could not be written.']);
});

test('doctor warns if it could not compare the database with its history', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-history-'));
  t.after(() => rm(directory, { recursive: true }));
  const historyFile = join(directory, 'history.json');
  const look = async (changed: Partial<Config> = {}) =>
    (await checkHistory({ ...deps().config, historyFile, ...changed }, deps().database)).map(
      ({ state, found }) => `${state}: ${found.replace(historyFile, 'FILE')}`,
    );
  assert.deepEqual(await look(), ['warning: not looked at: FILE does not exist']);
  await writeFile(historyFile, '{"another": "3"}');
  assert.deepEqual(await look(), ['warning: not looked at: FILE remembers other databases']);
  await writeFile(historyFile, '{');
  assert.deepEqual(await look(), ['warning: not looked at: FILE is not what a service writes']);
  assert.deepEqual(await look({ historyFile: directory }), [`warning: not looked at: ${directory} cannot be read`]);
  const unset = { historyFile: undefined, isProduction: true };
  assert.deepEqual(await look(unset), ['warning: not looked at: HISTORY_FILE is not set']);
  // A trial has no backups.
  assert.deepEqual(await look({ ...unset, isProduction: false }), []);
});
