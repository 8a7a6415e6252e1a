import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { idOnShard } from '../../src/platform/database/shard-of.ts';
import { openDatabase } from '../../src/platform/installation/open-database.ts';
import { isOperatorError } from '../harness/test-acts.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase('template1');
});
after(() => database.drop());

const urlOf = ({ user, password, host, port, database: name }: ConnectionTarget) =>
  `postgres://${user}:${password ?? ''}@${host}:${port}/${name}`;

const open = (databaseUrls: string[], migrates = true) =>
  openDatabase({ databaseUrls, dataDir: '' }, 'server', undefined, { migrates });

async function on<Row extends object>(server: ConnectionTarget | undefined, text: string): Promise<Row[]> {
  const client = new Client(server);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const onSecond = (text: string) => on(database.servers[1], text);

test('a start migrates each shard directly, and stops at the first that fails', async () => {
  const [first = '', second = ''] = database.servers.map(urlOf);
  await assert.rejects(
    open([first, `${second}_missing`, second]),
    isOperatorError(
      /^The database of DATABASE_SHARDS, number 2 .* does not exist.* 1 before it were migrated, it was not/,
    ),
  );
  assert.deepEqual(await onSecond(`select to_regclass('organizations') as found`), [{ found: null }]);
  const { description, servers } = await open([first, second]);
  assert.match(description, /^2 shards, the first PostgreSQL /);
  assert.deepEqual(
    servers.map(({ port }) => port),
    database.servers.map(({ port }) => port),
  );
});

test('a start refuses shards with different schemas', async () => {
  const urls = database.servers.map(urlOf);
  await open(urls);
  await onSecond(`insert into schema_migrations (name) values ('999999_${randomUUID()}.sql')`);
  await assert.rejects(open(urls), isOperatorError(/^The shards have different schemas/));
  await open(urls, false);
  await onSecond(`delete from schema_migrations where name like '999999%'`);
});

/** Databases of an installation, each with an organization. */
async function installed(): Promise<{ made: TestDatabase; urls: string[] }> {
  const made = await createTestDatabase('template1');
  const urls = made.servers.map(urlOf);
  await open(urls);
  for (const index of urls.keys()) await createOrganization(made, index, index);
  return { made, urls };
}

/** Creates an organization of a shard on the server of this index. */
const createOrganization = ({ servers }: TestDatabase, index: number, shard: number) =>
  on(
    servers[index],
    `insert into organizations (organization_id, name, created_at)
     values ('${idOnShard(shard, servers.length, randomUUID)}', 'Acme', now())`,
  );

test('a start numbers no shard that has organizations of another', async () => {
  const made = await createTestDatabase('template1');
  const urls = made.servers.map(urlOf);
  await open(urls);
  for (const server of made.servers) await on(server, 'delete from installation');
  await createOrganization(made, 0, 1);
  const sentence = /number 1 .* has org_\w+, which belongs to shard 2 of 2; name the servers in their order/;
  await assert.rejects(open(urls), isOperatorError(sentence));
  assert.deepEqual(await on(made.servers[0], `select from installation where name = 'shard'`), []);
  await open(urls.toReversed());
  await made.drop();
});

test('a start refuses shards in another order, a missing one and a foreign one, and changes nothing', async () => {
  const { made, urls } = await installed();
  const other = await installed();
  const empty = await createTestDatabase('template1');
  const [first = '', second = ''] = urls;
  const refused: [urls: string[], sentence: RegExp][] = [
    [[second, first], /number 1 .* is shard 2 of 2; name the servers in their order\.$/],
    [[first, second, urlOf(empty.target)], /number 1 .* is shard 1 of 2, and DATABASE_SHARDS names 3; docs\/scale\.md/],
    [
      [first],
      /^The database of DATABASE_URL .* is shard 1 of 2; name all of them in DATABASE_SHARDS, in their order\.$/,
    ],
    [[first, other.urls[1] ?? ''], /number 2 .* is of another installation; name the right server\.$/],
    [[first, urlOf(empty.target)], /number 2 .* is not shard 2 of this installation: it has no number/],
  ];
  const numbers = () =>
    Promise.all(made.servers.map((server) => on(server, "select value from installation where name = 'shard'")));
  const before = await numbers();
  for (const [wrong, sentence] of refused) await assert.rejects(open(wrong), isOperatorError(sentence));
  for (const [wrong, sentence] of refused.slice(0, 4))
    await assert.rejects(open(wrong, false), isOperatorError(sentence));
  await open(urls);
  assert.deepEqual(await numbers(), before);
  for (const { drop } of [made, other.made, empty]) await drop();
});

test('one server that is in use is no shard of several', async () => {
  const alone = await createTestDatabase('template1');
  await open([urlOf(alone.target)]);
  await assert.rejects(
    open(alone.servers.map(urlOf)),
    isOperatorError(/number 1 .* is shard 1 of 1, and DATABASE_SHARDS names 2/),
  );
  await alone.drop();
});

test('a first start that was interrupted is finished by the next, and by several at once', async () => {
  const made = await createTestDatabase('template1');
  const urls = made.servers.map(urlOf);
  await open(urls);
  await on(made.servers[1], 'delete from installation');
  await Promise.all([open(urls), open(urls), open(urls)]);
  await assert.rejects(open(urls.toReversed()), isOperatorError(/is shard 2 of 2/));
  await made.drop();
});
