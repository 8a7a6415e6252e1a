import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { Client } from 'pg';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { nameOrganizations } from '../../../src/platform/database/name-organizations.ts';
import { SESSION_SETTINGS } from '../../../src/platform/database/session-settings.ts';
import { exceptions, type OrganizationQuery, statements } from '../../../src/platform/database/statement.ts';
import { SERVICE_USER_NAME } from '../../../src/platform/embedded-postgres/cluster.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** The same on every shard, and read before the organization is known. */
const SHARED = ['earlier_keys'];

async function tenantTables(): Promise<string[]> {
  const rows = await service.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'organization_id' and table_schema = 'public' order by 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !SHARED.includes(name));
}

test('every table of organizations has the policy, and a view that shows what the policy shows', async () => {
  const rows = await service.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid
     where c.relrowsecurity and p.polname = 'organizations' and p.polcmd = '*' order by 1`,
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    await tenantTables(),
  );
  const views = await service.sql<{ name: string; definition: string }>(
    `select relname as name, pg_get_viewdef(oid) as definition from pg_class
     where relnamespace = 'limited'::regnamespace and relkind = 'v' and reloptions = '{check_option=local}' order by 1`,
  );
  assert.deepEqual(
    views.map(({ name }) => name),
    await tenantTables(),
  );
  for (const { name, definition } of views) assert.match(definition, /WHERE .*'app\.organization_id'.*'\*'/s, name);
});

/** Codes of a row of another organization that is written to a view, or to a table itself. */
const REFUSALS = { [SESSION_SETTINGS['search_path'] as string]: '44000', public: '42501' };

test('the service’s role sees and writes only rows of the organizations that it names', async () => {
  const [one, other] = [await service.organization(), await service.organization()];
  for (const { live, sandbox } of [one, other]) {
    await live.order([emailGift('ada')]);
    const { body } = await sandbox.order([emailGift('claimed'), linkGift()]);
    await sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/spend`);
  }
  await sealChains(service.service.deps);
  const client = new Client({ ...service.target, user: SERVICE_USER_NAME });
  await client.connect();
  const see = (organizations: string) => client.query(`set app.organization_id to '${organizations}'`);
  const owners = async (table: string) =>
    (await client.query(`select distinct organization_id as id from ${table}`)).rows.map(({ id }) => id).sort();
  try {
    for (const [schemas, refusal] of Object.entries(REFUSALS)) {
      await client.query(`set search_path to ${schemas}`);
      for (const table of await tenantTables()) {
        await client.query('reset app.organization_id');
        assert.deepEqual(await owners(table), [], `${schemas}: ${table} without a name`);
        await see('*');
        const all = await owners(table);
        await see(one.organizationUuid);
        assert.deepEqual(
          await owners(table),
          all.filter((id) => id === one.organizationUuid),
          table,
        );
        await see(`${one.organizationUuid},${other.organizationUuid}`);
        assert.deepEqual(await owners(table), all, table);
      }
      await see(one.organizationUuid);
      const { rowCount } = await client.query('update api_keys set revoked_at = now() where organization_id = $1', [
        other.organizationUuid,
      ]);
      assert.equal(rowCount, 0);
      const insert = 'insert into steered_tries (organization_id, idempotency_key, tried_at) values ($1, $2, now())';
      await client.query(insert, [one.organizationUuid, refusal]);
      await assert.rejects(client.query(insert, [other.organizationUuid, refusal]), { code: refusal });
    }
  } finally {
    await client.end();
  }
});

test('a statement that forgets its organization gets no rows of others', async () => {
  const [one, other] = [await service.organization(), await service.organization()];
  for (const { live } of [one, other]) await live.order([linkGift()]);
  const { read, change, pool } = service.service.deps.database;
  const text = 'select distinct organization_id as id from gifts';
  for (const database of [read, change, pool])
    for (const { organizationUuid } of [one, other, one]) {
      const { rows } = await database.query({ text, organizations: organizationUuid } as OrganizationQuery);
      assert.deepEqual(rows, [{ id: organizationUuid }]);
      // Of no organization, as `statementOfNone` makes them.
      assert.deepEqual((await database.query({ text, organizations: '' } as OrganizationQuery)).rows, []);
      await database.query({ text, organizations: organizationUuid } as OrganizationQuery);
      assert.deepEqual((await database.query({ text })).rows, [], 'a query that names none');
    }
});

test('simultaneous requests of many organizations each see their own rows', async () => {
  const organizations = await Promise.all(Array.from({ length: 8 }, () => service.organization()));
  const gifts = await Promise.all(
    organizations.map(async ({ live }) => (await live.order([linkGift()])).body.gifts[0].gift_id as string),
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, round) =>
      organizations.map(async ({ live, sandbox }, n) => {
        const own = await live.get(`/v1/gifts/${gifts[n]}`);
        assert.equal(own.status, 200);
        assert.equal((await live.get(`/v1/gifts/${gifts[(n + 1) % gifts.length]}`)).status, 404);
        const list = await live.get('/v1/gifts');
        assert.deepEqual(
          list.body.data.map((gift: { gift_id: string }) => gift.gift_id),
          [gifts[n]],
        );
        if (round % 5 === 0) assert.equal((await sandbox.order([linkGift()])).status, 201);
      }),
    ).flat(),
  );
});

/** What every statement of the modules of SQL names to PostgreSQL when its first parameter is this. */
const OWNER = 'the organization';

async function namedByStatements(): Promise<Map<string, string | undefined>> {
  const named = new Map<string, string | undefined>();
  const database = {
    async query({ name = '', organizations }: OrganizationQuery) {
      named.set(name, organizations);
      return { rows: [] };
    },
  };
  const both = Object.assign([database], database);
  const run = async (value: unknown): Promise<void> => {
    if (typeof value === 'function') await value(both, [OWNER], [OWNER]);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) await run(member);
  };
  const files = globSync('server/src/**/{queries,*-queries}.ts');
  const modules = await Promise.all(files.map((file) => import(`../../../../${file}`)));
  const defined = new Set(statements.keys());
  // Modules also export functions that return SQL, or that define statements.
  for (const value of modules.flatMap((each) => Object.values(each)))
    await Promise.resolve(run(value)).catch(() => undefined);
  for (const name of [...statements.keys()].filter((each) => !defined.has(each))) {
    statements.delete(name);
    exceptions.delete(name);
  }
  return named;
}

test('every statement names its organization, or all if it says why', async () => {
  const named = await namedByStatements();
  assert.ok(named.size > 100, `${named.size} statements`);
  for (const [name, organizations] of named) {
    const [reason, text = ''] = [exceptions.get(name), statements.get(name)];
    const isOfPeople = /\bportal\./.test(text);
    if (reason === undefined) assert.equal(organizations, isOfPeople ? '' : OWNER, name);
    else if (reason === 'of no organization') assert.equal(organizations, '', name);
    else assert.equal(organizations, '*', name);
  }
});

test('a statement fails if its organization could not be named', async () => {
  const unnamed = new Error('canceling statement due to user request');
  const client = {
    query: async ({ name }: OrganizationQuery) => {
      if (name === 'database.name_organizations') throw unnamed;
      return { rows: [] };
    },
  };
  nameOrganizations(client, true);
  const asked = { text: 'select 1 from gifts', organizations: OWNER };
  await assert.rejects(Promise.all([client.query(asked), client.query(asked)]), unnamed);
  await assert.rejects(client.query(asked), unnamed);
});

test('the organizations and their statement leave in one packet', async () => {
  let packets = 0;
  class CountingSocket extends Socket {
    override _writev(...written: Parameters<NonNullable<Socket['_writev']>>) {
      packets += 1;
      super._writev?.(...written);
    }
  }
  const client = new Client({ ...service.target, pipeline: true, stream: () => new CountingSocket() });
  nameOrganizations(client, true);
  await client.connect();
  const text = 'select organization_id from gifts';
  const packetsOf = async (organizations: string) => {
    const before = packets;
    await client.query({ name: 'gifts_of', text, values: [], organizations } as OrganizationQuery);
    return packets - before;
  };
  await packetsOf(OWNER);
  assert.equal(await packetsOf(''), 1, 'both');
  assert.equal(await packetsOf(''), 1, 'the statement alone');
  await client.end();
});
