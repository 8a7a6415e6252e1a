import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { findKey } from '../../../src/core/keys/find-key.ts';
import { importKey } from '../../../src/core/keys/import-key.ts';
import { listKeys } from '../../../src/core/keys/list-keys.ts';
import { recordKeyUse } from '../../../src/core/keys/record-key-use.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { createSandbox } from '../../../src/core/sandbox/create-sandbox.ts';
import { admitted, parametersOf } from '../../../src/platform/authentication/caller.ts';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { selectCallerAlone, selectEarlierKey } from '../../../src/platform/authentication/queries.ts';
import { decodeId, encodeId } from '../../../src/platform/base/ids.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { until } from '../../harness/server-process.ts';
import { isOperatorError, startTestActs } from '../../harness/test-acts.ts';

const acts = openForFile(startTestActs);

/** Records the uses of keys without a server. */
function startRecorder(deps: Parameters<typeof recordKeyUse>[1]) {
  const hooks = new Map<string, (...parameters: unknown[]) => unknown>();
  recordKeyUse({ addHook: (name: string, hook: never) => hooks.set(name, hook) } as unknown as FastifyInstance, deps);
  return {
    use(organizationId: string, key_id: string) {
      const caller = { organizationId, found: { key_id, caller_state: 'admitted' } };
      hooks.get('onSend')?.({ caller }, undefined, undefined, () => undefined);
    },
    close: () => hooks.get('onClose')?.(),
  };
}

test('fifty simultaneous creations leave ten active keys', async () => {
  const { id, uuid } = await acts.newOrganization();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => acts.newKey(id, n % 2 === 0 ? 'live' : 'sandbox')),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(isOperatorError(/has 10 active keys/)(outcome.reason));
  assert.equal((await acts.sql('select from api_keys where organization_id = $1', [uuid])).length, 10);
  const [first] = await listKeys(acts.deps, id);
  assert.ok(first);
  await revokeKey(acts.deps, { organizationId: id, keyId: first.key_id, actor: OPERATOR });
  await acts.newKey(id, 'live');
  await assert.rejects(acts.newKey(id, 'live'), isOperatorError(/has 10 active keys/));
});

test('stores only the hash and the hint of a key', async () => {
  const { id, uuid } = await acts.newOrganization();
  const { key } = await acts.newKey(id, 'live');
  const [row] = await acts.sql<{ text: string }>(
    'select row_to_json(k)::text as text from api_keys k where organization_id = $1',
    [uuid],
  );
  assert.ok(row?.text.includes(hashKey(key).toString('hex')));
  assert.ok(row?.text.includes(`bestow-…${key.slice(-4)}`));
  assert.ok(!row?.text.includes(key.slice(29, 42)));
  assert.deepEqual(await selectEarlierKey(acts.deps.database.shared, [hashKey(key)]), []);
});

test('a key is admitted until it is revoked; a second revocation changes nothing', async () => {
  const { id, uuid } = await acts.newOrganization();
  const created = await acts.newKey(id, 'live');
  const scope = admitted({ organizationId: uuid, environment: 'live' });
  const presented = parametersOf({ ...scope, keyHash: hashKey(created.key) });
  const state = async () => (await selectCallerAlone(acts.deps.database.read, presented))[0]?.caller_state;
  assert.equal(await state(), 'admitted');
  await acts.sql('update organizations set suspended_at = now() where organization_id = $1', [uuid]);
  assert.equal(await state(), 'suspended');
  const revoked = await revokeKey(acts.deps, { organizationId: id, keyId: created.key_id, actor: OPERATOR });
  assert.equal(await state(), 'revoked');
  await acts.clock.advance(1000);
  assert.deepEqual(await revokeKey(acts.deps, { organizationId: id, keyId: created.key_id, actor: OPERATOR }), revoked);
});

test('the first sandbox key creates the sandbox; later keys do not', async () => {
  const { id, uuid } = await acts.newOrganization();
  const exists = async () => (await acts.sql('select from sandboxes where organization_id = $1', [uuid])).length === 1;
  await acts.newKey(id, 'live');
  assert.equal(await exists(), false);
  await acts.newKey(id, 'sandbox');
  assert.equal(await exists(), true);
  await deleteSandbox(acts.deps, { organizationId: id, actor: OPERATOR });
  await acts.newKey(id, 'sandbox');
  assert.equal(await exists(), false);
  const created = await createSandbox(acts.deps, { organizationId: id, actor: OPERATOR });
  await acts.clock.advance(1000);
  assert.deepEqual(await createSandbox(acts.deps, { organizationId: id, actor: OPERATOR }), created);
  assert.equal(await exists(), true);
});

test('a legacy key is imported once, also if three organizations race', async () => {
  const organizations = await Promise.all([acts.newOrganization(), acts.newOrganization(), acts.newOrganization()]);
  const key = 'sk_old_0123456789';
  const old = { environment: 'live', name: 'old', key, actor: OPERATOR } as const;
  const imports = [...organizations, ...organizations, ...organizations].map(({ id }) =>
    importKey(acts.deps, { ...old, organizationId: id }),
  );
  const outcomes = await Promise.allSettled(imports);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(isOperatorError(/already imported for org_\w{26}\.$/)(outcome.reason));
  const owners = await acts.sql<{ organization_id: string }>('select organization_id from api_keys where hash = $1', [
    hashKey(key),
  ]);
  const [earlier] = await selectEarlierKey(acts.deps.database.shared, [hashKey(key)]);
  assert.deepEqual(owners, [{ organization_id: earlier?.organization_id }]);
  assert.equal(earlier?.environment, 'live');
});

test('a refused import leaves nothing behind', async () => {
  const [full, other] = [await acts.newOrganization(), await acts.newOrganization()];
  for (let count = 0; count < 10; count += 1) await acts.newKey(full.id, 'live');
  const old = { environment: 'live', name: 'old', key: 'sk_refused_0123456789', actor: OPERATOR } as const;
  const earlier = () => acts.sql('select organization_id from earlier_keys where hash = $1', [hashKey(old.key)]);
  await assert.rejects(
    importKey(acts.deps, { ...old, organizationId: full.id }),
    isOperatorError(/has 10 active keys/),
  );
  assert.deepEqual(await earlier(), []);
  await importKey(acts.deps, { ...old, organizationId: other.id });
  assert.deepEqual(
    await earlier(),
    acts.deps.database.shards.map(() => ({ organization_id: other.uuid })),
  );
});

test('finds a key of any organization by its id', async () => {
  const { id } = await acts.newOrganization();
  const { key_id } = await acts.newKey(id, 'live');
  assert.deepEqual(await findKey(acts.deps, key_id), { organizationId: id, keyId: key_id });
  for (const unknown of [encodeId('key', acts.deps.ids.next()), id, 'nonsense'])
    await assert.rejects(findKey(acts.deps, unknown), isOperatorError(new RegExp(`^There is no key ${unknown}\\.$`)));
});

test('records the last use of a key to the minute, in the background and at stop', async () => {
  const { id, uuid } = await acts.newOrganization();
  const { key_id } = await acts.newKey(id, 'live');
  const keyUuid = decodeId('key', key_id) ?? '';
  const lastUsed = async () => (await listKeys(acts.deps, id))[0]?.last_used_at?.toISOString();
  const versions = async () =>
    (await acts.sql<{ xmin: string }>('select xmin from api_keys where key_id = $1', [keyUuid]))[0]?.xmin;
  const minute = (ms: number) => new Date(ms - (ms % 60_000)).toISOString();

  const recorder = startRecorder(acts.deps);
  recorder.use(uuid, keyUuid);
  assert.equal(await lastUsed(), undefined);
  await acts.clock.advance(5_000);
  await until(async () => (await lastUsed()) === minute(acts.clock.now()), 'the use is recorded');
  const version = await versions();
  recorder.use(uuid, keyUuid);
  await acts.clock.advance(5_000);
  assert.equal(await versions(), version, 'the same minute is not written again');

  await acts.clock.advance(120_000);
  recorder.use(uuid, keyUuid);
  await recorder.close();
  assert.equal(await lastUsed(), minute(acts.clock.now()));
});

test('retries recording a use and never throws', async () => {
  const { id, uuid } = await acts.newOrganization();
  const { key_id } = await acts.newKey(id, 'live');
  let failures = 0;
  const query = () => {
    failures += 1;
    return Promise.reject(new Error('out of reach'));
  };
  const database = { ...acts.deps.database, shards: [{ query } as unknown as Deps['database']['shards'][number]] };
  const recorder = startRecorder({ ...acts.deps, database });
  recorder.use(uuid, decodeId('key', key_id) ?? '');
  await acts.clock.advance(10_000);
  await recorder.close();
  assert.ok(failures >= 2, `${failures}`);
});
