import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { guides } from '../../../src/capabilities/docs/guides.ts';
import { openDatabase } from '../../../src/platform/installation/open-database.ts';
import { grantOf } from '../../harness/agent-grant.ts';
import { gift } from '../../harness/api-client.ts';
import { blocksOf, followSamples, type Reader, tracksOf } from '../../harness/document-samples.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

let service: TestService;
let emptyDatabase: TestDatabase;
let directory: string;

before(async () => {
  service = await startTestService();
  emptyDatabase = await createTestDatabase('template0');
  directory = await mkdtemp(join(tmpdir(), 'bestow-docs-'));
});
after(async () => {
  await service.close();
  await emptyDatabase.drop();
  await rm(directory, { recursive: true, force: true });
});

const urlOf = ({ host, port, user, database }: TestDatabase['target']) =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`;

/** Creates an organization for one page and returns its sandbox key. */
async function newKey(): Promise<string> {
  const { keys, organizationUuid } = await service.organization({ sandbox: 100_000 });
  await service.sql(`update organizations set name = 'Demo Organization' where organization_id = $1`, [
    organizationUuid,
  ]);
  return keys.sandbox;
}

/** Orders a gift for the person whom the page about privacy erases. */
async function orderForGrace(): Promise<void> {
  const delivery = { method: 'email', email: 'grace@example.com' };
  const { status } = await service.api(await newKey()).order([gift({ delivery })]);
  assert.equal(status, 201);
}

const idIn = (text: string, prefix: string) => new RegExp(`${prefix}_\\w{26}`).exec(text)?.[0] ?? assert.fail(text);

const reader = (): Reader => ({
  url: service.url,
  variables: {
    DATABASE_URL: urlOf(service.target as TestDatabase['target']),
    LINK_SECRET: 'a secret of a reader that is long enough',
    TMPDIR: directory,
  },
  fillings: {
    KEY: newKey,
    TOKEN: async () => (await grantOf(service, await service.organization())).token,
    GIFT: (printed) => idIn(printed, 'gift'),
    ORDER: (printed) => idIn(printed, 'ord'),
    ORG: (printed) => idIn(printed, 'org'),
    ISSUER: (printed) => idIn(printed, 'iss'),
    DATABASE_URL: () => urlOf(emptyDatabase.target),
    LINK_SECRET: () => 'another secret of a reader that is long enough',
    // A backup needs a database, so create one first.
    async DATA_DIR(_printed, variables) {
      delete variables['DATABASE_URL'];
      const dataDir = join(directory, 'data');
      const { close } = await openDatabase({ databaseUrls: [], dataDir }, 'server');
      await close();
      return dataDir;
    },
    BACKUP: () => join(directory, 'backup'),
  },
});

const written = guides.map(({ slug }) => slug).filter((slug) => slug !== 'errors');
/** Pages without samples: a list of links, and those that need a machine, containers, shards, Stripe (other tests run them). */
const WITHOUT_SAMPLES = [
  'index',
  'install',
  'alerts',
  'containers',
  'scale',
  'topups',
  'issuers-write',
  'send-many',
  'roles',
  'brand',
  'versions',
];

for (const slug of written)
  test(`every sample of docs/${slug}.md runs and returns the answer shown`, async () => {
    const markdown = readFileSync(new URL(`../../../../docs/${slug}.md`, import.meta.url), 'utf8');
    if (slug === 'privacy') await orderForGrace();
    for (const track of tracksOf(markdown)) {
      const { runs, answers } = await followSamples(markdown, reader(), track);
      const shown = blocksOf(markdown).filter(({ language }) => language === 'json' || language === 'http');
      assert.equal(answers, shown.length, track);
      assert.equal(runs > 0, !WITHOUT_SAMPLES.includes(slug), `${runs} runs`);
    }
  });

test('a second backup to the same directory is refused and keeps the first', async () => {
  const markdown = readFileSync(new URL('../../../../docs/backup.md', import.meta.url), 'utf8');
  const before = await readdir(join(directory, 'backup'), { recursive: true });
  await assert.rejects(followSamples(markdown, reader()), /mkdir: .*backup.*File exists/);
  assert.deepEqual(await readdir(join(directory, 'backup'), { recursive: true }), before);
});
