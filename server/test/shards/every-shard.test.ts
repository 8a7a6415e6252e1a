import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Pool } from 'pg';
import { findEverywhere } from '../../src/capabilities/gift-search/find-everywhere.ts';
import { verifyLedger } from '../../src/capabilities/seals/verify-ledger.ts';
import { addCategory } from '../../src/core/catalog/add-category.ts';
import { importKey } from '../../src/core/keys/import-key.ts';
import { revokeKey } from '../../src/core/keys/revoke-key.ts';
import { createLinks } from '../../src/core/links/links.ts';
import { createOrganization } from '../../src/core/organizations/create-organization.ts';
import { findMember } from '../../src/core/organizations/find-member.ts';
import { identifyOrganization } from '../../src/core/organizations/identify-organization.ts';
import { listOrganizations } from '../../src/core/organizations/list-organizations.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import { finishShared, selectPrepared } from '../../src/platform/database/on-every-shard.ts';
import { shardOf } from '../../src/platform/database/shard-of.ts';
import { createCipher } from '../../src/platform/encryption/cipher.ts';
import { examine } from '../../src/surfaces/doctor/examine.ts';
import { OPERATOR } from '../harness/operator.ts';
import { isOperatorError, startTestActs, type TestActs } from '../harness/test-acts.ts';
import { testConfig } from '../harness/test-service.ts';

let acts: TestActs;
before(async () => {
  acts = await startTestActs();
  shards = acts.servers.map((server) => new Pool(server));
});
after(async () => {
  for (const shard of shards) await shard.end();
  await acts.close();
});

/** Pools as a superuser, for SQL of tests. */
let shards: Pool[];

/** On each shard. */
const run = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[][]> =>
  Promise.all(shards.map(async (shard) => (await shard.query<Row>(text, values)).rows));

const tea = (id: string) => ({ id, name: 'Tea', description: 'For people who take their time.' });
const ids = async () =>
  (await run<{ id: string }>('select category_id as id from categories order by id')).map((rows) =>
    rows.map(({ id }) => id),
  );
const prepared = async () =>
  (await Promise.all(acts.deps.database.shards.map((shard) => selectPrepared(shard, [])))).flat();

test('an organization’s shard is the one of PostgreSQL’s hash partitions', async () => {
  await run('create table hashed (id uuid) partition by hash (id)');
  for (const shards of [2, 3, 8]) {
    const some = Array.from({ length: 100 }, () => randomUUID());
    const [rows] = await run<{ is_there: boolean }>(
      `select satisfies_hash_partition('hashed'::regclass, ${shards}, shard, id) as is_there
       from unnest($1::uuid[], $2::integer[]) as u (id, shard)`,
      [some, some.map((id) => shardOf(id, shards))],
    );
    assert.ok(rows?.length === 100 && rows.every(({ is_there }) => is_there));
  }
  await run('drop table hashed');
});

test('a change of the catalog is on every shard or on none', async () => {
  await addCategory(acts.deps, tea('tea'));
  assert.deepEqual(await ids(), [['tea'], ['tea']]);
  const [, second] = shards;
  await second?.query(`create function refuse() returns trigger language plpgsql as $$begin raise 'full'; end$$`);
  await second?.query('create trigger refuse before insert on categories execute function refuse()');
  await assert.rejects(addCategory(acts.deps, tea('more')), /full/);
  await second?.query('drop function refuse cascade');
  assert.deepEqual([await ids(), await prepared()], [[['tea'], ['tea']], []]);
});

test('what a crash left between the two phases is finished by the next command', async () => {
  // A prepared transaction belongs to the service's role.
  const [first, second] = acts.deps.database.shards;
  const prepare = async (shard: typeof first, id: string) => {
    const client = (await shard?.connect()) ?? assert.fail();
    await client.query('begin');
    await client.query(
      `insert into categories select '${id}', name, description, artwork, null, 9, created_at from categories`,
    );
    await client.query(`prepare transaction 'bestow-${randomUUID()}'`);
    client.release();
  };
  await prepare(first, 'refused');
  // Committed on the first shard before the crash.
  await first?.query(
    `insert into categories select 'made', name, description, artwork, null, 9, created_at from categories`,
  );
  await prepare(second, 'made');
  await finishShared(acts.deps.database);
  assert.deepEqual(
    [await ids(), await prepared()],
    [
      [
        ['made', 'tea'],
        ['made', 'tea'],
      ],
      [],
    ],
  );
});

test('operators see all shards in one list, and the doctor compares them', async () => {
  const made: Awaited<ReturnType<typeof acts.newOrganization>>[] = [];
  // By chance all of the first eight may be on one shard.
  const isOnBoth = () => new Set(made.map(({ uuid }) => shardOf(uuid, 2))).size === 2;
  while (made.length < 8 || !isOnBoth()) made.push(await acts.newOrganization());
  for (const { id } of made) await acts.fund(id, 1_000);
  const listed = await listOrganizations(acts.deps);
  assert.deepEqual(
    listed.map(({ organization_id }) => organization_id),
    made.map(({ id }) => id),
  );
  for (const { id, memberId } of made)
    assert.deepEqual(await findMember(acts.deps, memberId), { organizationId: id, memberId });
  const { holds, checked } = await verifyLedger(acts.deps);
  assert.deepEqual([holds, checked.organizations, checked.ledger_entries], [true, 8, 8]);

  const faults = async () => {
    const config = testConfig({ DATABASE_SHARDS: 'postgres://h/a,postgres://h/b', LINK_SECRET: randomUUID() });
    const found = await Array.fromAsync(examine(config, acts.deps.database, acts.clock));
    // Tests write without a flush.
    return found.flatMap(({ check, state }) => (state === 'fault' && !check.startsWith('fsync') ? [check] : []));
  };
  assert.deepEqual(await faults(), []);
  await shards[1]?.query(`update categories set name = 'Coffee'`);
  assert.deepEqual(await faults(), ['catalog and earlier keys']);
});

test('a gift is found on every shard, and the look is audited there', async () => {
  const secrets = ['a secret of links that is long enough'];
  const links = createLinks(secrets, () => '');
  const cipher = createCipher(secrets);
  const orders: string[] = [];
  for (const shard of [1, 2]) {
    const names = { name: 'Acme', adminEmail: 'ann@acme.test', actor: OPERATOR, shard };
    const { organization_id: id } = await createOrganization(acts.deps, names);
    await acts.newKey(id, 'sandbox');
    await acts.fund(id, 5_000);
    orders.push(await acts.insertOrder(decodeId('org', id) ?? '', [2_500]));
  }
  await run(
    `update gifts set method = 'email', address = 'ada@example.com', delivery_state = 'delivered', delivery_id = gift_id
    where order_id = any ($1)`,
    [orders],
  );
  const search = { query: 'Ada@Example.com', actor: OPERATOR, limit: 10 };
  const found = await findEverywhere({ ...acts.deps, links, cipher }, search);
  assert.deepEqual(
    found.map(({ order_id }) => decodeId('ord', order_id)),
    orders.toReversed(),
  );
  const looks = await run(`select 1 from audit_events where action = 'gifts.looked_up'`);
  assert.deepEqual(
    looks.map(({ length }) => length),
    [1, 1],
  );
});

test('an organization is named without its id on every shard, and only if no shard has another', async () => {
  const create = async (shard: number, name: string) =>
    (await createOrganization(acts.deps, { name, adminEmail: 'ann@acme.test', actor: OPERATOR, shard }))
      .organization_id;
  const [first, second] = [await create(1, 'First'), await create(2, 'Second')];
  for (const [text, id] of [
    ['FIRST', first],
    ['second', second],
    [second.slice(-8), second],
  ] as const)
    assert.equal(await identifyOrganization(acts.deps, text), id);
  await create(1, 'Second');
  await assert.rejects(identifyOrganization(acts.deps, 'second'), isOperatorError(/^“second” may mean /));
});

test('an organization is created on the shard that is asked for', async () => {
  const create = (shard: number) =>
    createOrganization(acts.deps, { name: 'Acme', adminEmail: 'ann@acme.test', actor: OPERATOR, shard });
  for (const shard of [1, 2, 2, 1]) {
    const uuid = decodeId('org', (await create(shard)).organization_id);
    const found = await run('select 1 from organizations where organization_id = $1', [uuid]);
    assert.deepEqual(
      found.map(({ length }) => length),
      shard === 1 ? [1, 0] : [0, 1],
    );
  }
  await assert.rejects(create(3), isOperatorError(/^There is no shard 3: DATABASE_SHARDS names 2\.$/));
});

test('an imported key is known on every shard and kept on one, or on none', async () => {
  let owner = await acts.newOrganization();
  while (shardOf(owner.uuid, 2) !== 1) owner = await acts.newOrganization();
  const created = [];
  for (let count = 0; count < 10; count += 1) created.push(await acts.newKey(owner.id, 'live'));
  const old = { organizationId: owner.id, environment: 'live', name: 'old', actor: OPERATOR } as const;
  const rows = () =>
    Promise.all(
      ['earlier_keys', 'api_keys', 'audit_events', 'notices'].map(async (table) =>
        (await run(`select 1 from ${table} where organization_id = $1`, [owner.uuid])).map(({ length }) => length),
      ),
    );
  const importOld = () => importKey(acts.deps, { ...old, key: 'sk_old_0123456789' });
  const before = await rows();
  await assert.rejects(importOld(), isOperatorError(/has 10 active keys/));
  assert.deepEqual([await rows(), await prepared()], [before, []]);

  await revokeKey(acts.deps, { organizationId: owner.id, keyId: created[0]?.key_id ?? '', actor: OPERATOR });
  const [, ...counted] = await rows();
  await importOld();
  const oneMore = counted.map(([first = 0, second = 0]) => [first, second + 1]);
  assert.deepEqual(await rows(), [[1, 1], ...oneMore]);
  assert.deepEqual(await prepared(), []);
});
