import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allowChanges } from '../../server/test/harness/allow-changes.ts';
import { type Copy, controls } from '../../server/test/harness/checker-controls.ts';
import { checkInvariants, type Invariant, type Violation } from '../checker/check-invariants.ts';
import { type Installation, openInstallation } from '../faults/installation.ts';
import { addPushEndpoints } from '../faults/push-endpoints.ts';
import { randomFrom } from '../faults/random.ts';
import { watchSettled } from '../faults/worker-faults.ts';
import type { ActName } from '../load/acts.ts';
import { createRecorder } from '../record/recorder.ts';

const SEED = 6;
/** Each act needs the ones before it. */
const SCENARIO: readonly { only: readonly ActName[]; acts: number }[] = [
  { only: ['placeOrder'], acts: 60 },
  { only: ['replay', 'retrieveOrder', 'retrieveGift', 'list', 'press'], acts: 120 },
  { only: ['fail', 'redirect', 'claim', 'spend'], acts: 120 },
  { only: ['reset'], acts: 20 },
  { only: ['placeOrder', 'retrieveGift'], acts: 40 },
];

describe('the checker', () => {
  let installation: Installation;
  let found: Violation[] | undefined;
  before(async () => {
    const random = randomFrom(SEED);
    installation = await openInstallation({ random, messageTakesMs: 0 });
    const server = await installation.startServer();
    const urls = [server.url];
    const sandboxes = installation.organizations.filter(
      ({ environment, resets }) => environment === 'sandbox' && !resets,
    );
    const endpoints = await addPushEndpoints(installation, urls, sandboxes, () => 0);
    let states: ReturnType<Installation['startLoad']>['states'] | undefined;
    for (const { only, acts } of SCENARIO) {
      if (only.includes('reset')) states = states?.filter(({ organization }) => organization.resets);
      const load = installation.startLoad({ urls, only, steers: false, perSecond: 1_000, ...(states && { states }) });
      while (load.acts() < acts) await new Promise((resolve) => setTimeout(resolve, 10));
      await load.stop();
      states = load.states;
    }
    assert.ok(await installation.settle(), 'It hung: work is pending.');
    assert.deepEqual(await endpoints.stop(), []);
    found = await installation.check(server.url);
    // A database can be copied only without connections.
    server.signal('SIGTERM');
    await server.ended;
  });
  after(() => installation.close());

  test('finds nothing in an unbroken database', () => {
    assert.deepEqual(found, []);
  });

  test('the watch of settled deliveries finds a late change, and only that', async () => {
    await installation.copyDatabase('late_worker');
    const copy = {
      sql: <Row>(text: string, values?: unknown[]) => installation.sqlOn<Row>('late_worker', text, values),
    };
    const lateChanges = await watchSettled(copy);
    assert.deepEqual(await lateChanges(), []);
    const [late] = await copy.sql<{ delivery_id: string }>(
      `update deliveries set sent_at = sent_at + interval '90 seconds' where delivery_id =
         (select delivery_id from deliveries where environment = 'live' and state = 'sent' limit 1) returning delivery_id`,
    );
    assert.ok(late);
    const changes = await lateChanges();
    assert.equal(changes.length, 1);
    assert.match(changes[0] ?? '', new RegExp(`^delivery ${late.delivery_id} was `));
  });

  /** What the checker finds of a server whose database is a broken copy, when it walks its lists and opens its links. */
  async function findServed(database: string, breakIt: string, variables = {}): Promise<[Invariant[], string]> {
    await installation.copyDatabase(database);
    await allowChanges((text) => installation.sqlOn(database, text));
    await installation.sqlOn(database, breakIt);
    const DATABASE_URL = installation.databaseUrl.replace(/[^/]*$/, database);
    const server = await installation.startServer({ args: ['--no-worker'], variables: { DATABASE_URL, ...variables } });
    const violations = await installation.check(server.url);
    server.signal('SIGTERM');
    await server.ended;
    return [[...new Set(violations.map(({ invariant }) => invariant))], violations.map(({ text }) => text).join('\n')];
  }

  test('finds a list that leaves out a gift, as I5', async () => {
    const [invariants, texts] = await findServed(
      'short_list',
      `delete from gifts where gift_id = (select gift_id from gifts where environment = 'live' and method = 'email' limit 1)`,
    );
    assert.deepEqual(invariants, ['I5'], texts);
    assert.match(texts, /^A walk of the gifts of \S+ live found \d+ of \d+, and another at place \d+\.$/);
  });

  test('finds a link that has ended when it is returned, as I10', async () => {
    const [invariants, texts] = await findServed(
      'ended_links',
      `update gifts set link_expires_at = now() - interval '1 day' where method = 'link'`,
      { LINK_TTL_DAYS: '0.00000001' },
    );
    assert.deepEqual(invariants, ['I10'], texts);
    assert.match(texts, /^The link of gift_\w+ does not open\.$/m);
  });

  for (const [index, { name, expected, breakIt }] of controls.entries())
    test(`finds ${name}, as ${expected.join(' and ')}`, async () => {
      const database = `control_${index}`;
      const { recorder } = installation;
      let target = installation.target;
      const copy: Copy = {
        async sql<Row>(text: string, values?: unknown[]) {
          // A lie in the record needs no copy of the database.
          if (target === installation.target) {
            await installation.copyDatabase(database);
            await allowChanges((change) => installation.sqlOn(database, change));
          }
          target = { ...installation.target, database };
          return await installation.sqlOn<Row>(database, text, values);
        },
        calls: structuredClone([...recorder.calls]),
        messages: [...recorder.messages],
        endpoints: recorder.endpoints,
        pushes: structuredClone([...recorder.pushes]),
        crashesAtMs: [],
      };
      await breakIt(copy);
      const broken = createRecorder();
      for (const call of copy.calls) broken.add(call);
      for (const message of copy.messages) broken.message(message);
      for (const atMs of copy.crashesAtMs) broken.crash(atMs);
      for (const endpoint of copy.endpoints) broken.expectPushes(endpoint);
      for (const push of copy.pushes) broken.push(push);
      broken.expectMessages('email', 'all');
      for (const [id, text] of recorder.seenEntries) broken.seenEntries.set(id, text);
      const violations = await checkInvariants({ target, recorder: broken });
      assert.deepEqual(
        [...new Set(violations.map(({ invariant }) => invariant))],
        expected,
        JSON.stringify(violations),
      );
    });
});
