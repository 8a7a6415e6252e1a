import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { killedAfter } from '../../harness/batches.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { type RunningProcess, run, until } from '../../harness/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { startTestServiceOn, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, DAY_MS, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** A year of birthdays, moved by the clock: each person has one gift, whatever happens to the processes. */

const CONTACTS = 300;
const START = Date.parse('2026-11-21T12:00:00Z');
/** So many people have their birthday while a process is killed. */
const ON_ONE_DAY = 60;

let database: TestDatabase;
const service = openForFile(async () => {
  database = await createTestDatabase();
  return await startTestServiceOn(database, { RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
});
const second = openForFile(() => service.second());
let organization: TestOrganization;
let yearly: Yearly;

beforeEach(async () => {
  await service.clock.setTime(START);
  await service.sql('delete from portal.sessions');
  for (const id of ['coffee', 'books', 'travel']) await service.addCategory(id).catch(() => undefined);
  organization = await newOrganization(service, 100_000_000);
  yearly = createYearly(service, organization);
});

/** Another process, with its own memory and connections, at a time of the test. */
const startProcess = (iso: string): RunningProcess =>
  run(process.execPath, [fileURLToPath(new URL('../../harness/yearly-process.ts', import.meta.url))], {
    TIME: iso,
    SERVERS: JSON.stringify(database.serviceServers),
  });

const address = (n: number) => `person-${String(n).padStart(3, '0')}@example.com`;

/** Days spread over the year, with leap days and one crowded day. */
function birthdays(): Record<string, string> {
  const days = Array.from({ length: CONTACTS }, (_, n) => {
    if (n < 5) return '1996-02-29';
    if (n < 5 + ON_ONE_DAY) return '06-15';
    return new Date(Date.UTC(2027, 0, 1) + ((n * 37) % 365) * DAY_MS).toISOString().slice(5, 10);
  });
  return Object.fromEntries(days.map((day, n) => [address(n).split('@')[0] ?? '', day]));
}

test('in a year of birthdays each person has one gift, over a kill and with two processes', async () => {
  await yearly.addContacts(birthdays());
  await yearly.addRule({ time_zone: 'Europe/Berlin' });
  const everyone = Array.from({ length: CONTACTS }, (_, n) => address(n));
  let killed = false;
  // From a day after the rule, so that the day of the rule itself is among them a year later.
  for (let day = 0; day <= 366; day += 1) {
    const iso = new Date(START + day * DAY_MS).toISOString();
    await service.clock.setTime(Date.parse(iso));
    if (iso.startsWith('2027-06-15')) {
      const before = (await yearly.bought()).length;
      const first = startProcess(iso);
      await until(async () => (await yearly.bought()).length > before + 5, 'some gifts are sent');
      first.signal('SIGKILL');
      assert.equal((await first.ended).signal, 'SIGKILL');
      const sent = (await yearly.bought()).length - before;
      assert.ok(sent < ON_ONE_DAY, `${sent} were sent before the kill`);
      killed = true;
      const both = [startProcess(iso), startProcess(iso)];
      for (const each of both) {
        const { code, stderr } = await each.ended;
        assert.deepEqual([code, stderr.replace(/\(node.*\n?/g, '').replace(/\(Use .*\n?/g, '')], [0, '']);
      }
      assert.equal((await yearly.bought()).length - before, ON_ONE_DAY + countOn('06-15'));
    } else await Promise.all([yearly.run(), yearly.run(second.service.deps)].map(unlessLocked));
    if (iso.startsWith('2027-02-28')) assert.ok((await yearly.bought()).includes(address(0)), 'leap days');
  }
  assert.ok(killed);
  // Those of these days have their gift of 2027 too.
  const again = new Set(['11-21', '11-22'].flatMap((day) => everyone.filter((_, n) => birthdayOf(n) === day)));
  const bought = await yearly.bought();
  assert.deepEqual([...new Set(bought)].sort(), everyone);
  const gifts = (await yearly.gifts()).filter(({ state }) => state === 'ordered');
  assert.equal(gifts.length, bought.length);
  assert.equal(new Set(gifts.map(({ address: to, year }) => `${to} ${year}`)).size, gifts.length);
  assert.ok(bought.length <= CONTACTS + again.size, `${bought.length} gifts`);
  await verifyAll(service);
});

const birthdayOf = (n: number) => Object.values(birthdays())[n]?.slice(-5);
/** Besides those of the crowded day. */
const countOn = (day: string) =>
  Array.from({ length: CONTACTS }, (_, n) => birthdayOf(n)).filter((one, n) => n >= 5 + ON_ONE_DAY && one === day)
    .length;

/** One process may wait too long for the other; the next minute tries again. */
const unlessLocked = (work: Promise<void>) =>
  work.catch((error: { code?: string; errors?: { code?: string }[] }) => {
    for (const { code } of error.errors ?? [error]) assert.equal(code, '55P03');
  });

for (const mode of ['sends', 'approval'] as const)
  test(`killed after any query, a gift is ${mode === 'sends' ? 'bought' : 'asked for'} once`, async () => {
    const template_id = await yearly.addTemplate();
    for (let query = 1; ; query += 1) {
      const tag = `${mode}-${query}`;
      await service.clock.setTime(START + DAY_MS / 24);
      await service.sql('delete from yearly_rules');
      await yearly.addContacts({ [`${tag}-a`]: '11-22', [`${tag}-b`]: '11-22' }, { tags: [tag] });
      await yearly.addRule({ mode, tag, template_id });
      await service.clock.setTime(Date.parse('2026-11-22T09:00:00Z'));
      const dying = killedAfter(service.service.deps, query);
      await yearly.run(dying.deps).catch((error: Error) => assert.match(error.message, /killed|dead|being committed/));
      await yearly.run();
      await yearly.run();
      await assertOnce(mode, tag, query);
      if (!dying.isKilled()) {
        assert.ok(query > 10, `${query} queries`);
        break;
      }
    }
    await verifyAll(service);
  });

/** That both people of the tag have one gift, or one request, and that the rule counted both. */
async function assertOnce(mode: 'sends' | 'approval', tag: string, query: number): Promise<void> {
  const people = [`${tag}-a@example.com`, `${tag}-b@example.com`];
  const of = [organization.organizationUuid];
  const bought = (await yearly.bought()).filter((to) => people.includes(to));
  assert.deepEqual(bought, mode === 'sends' ? people : [], `query ${query}`);
  const asked = await service.sql<{ address: string }>(
    'select address from gift_requests where organization_id = $1 order by address',
    of,
  );
  const requested = asked.filter(({ address: to }) => people.includes(to));
  assert.equal(requested.length, mode === 'sends' ? 0 : 2, `query ${query}`);
  assert.deepEqual(
    (await yearly.gifts()).map(({ state }) => state),
    Array(2).fill(mode === 'sends' ? 'ordered' : 'requested'),
  );
  const [rule] = await service.sql('select spent_cents::integer from yearly_rules where organization_id = $1', of);
  assert.deepEqual(rule, { spent_cents: mode === 'sends' ? 5_000 : 0 }, `query ${query}`);
}
