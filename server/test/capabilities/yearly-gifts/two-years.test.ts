import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { killedAfter } from '../../harness/batches.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, DAY_MS, newOrganization, type Yearly } from '../../harness/yearly.ts';

/**
 * Two years of a company whose people join, leave, come back, move and are renamed, while two systems send their lists each
 * night, approvals come late, rules are paused and processes are killed.
 */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const START = Date.parse('2026-11-21T12:00:00Z');
const DAYS = 730;
const PEOPLE = 30;
/** The first of them change nothing for two years. */
const STEADY = 8;
const DAYS_BETWEEN_APPROVALS = 6;

interface Person {
  id: string;
  externalId: string;
  address: string;
  name: string;
  birthday: string;
  start: string;
  isEmployed: boolean;
  contactId: string;
}

let organization: TestOrganization;
let yearly: Yearly;
let seed: number;

/** The same in every run: mulberry32. */
function random(below: number): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return (((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below;
}
const isOneIn = (count: number) => random(count) < 1;
const pick = <One>(list: readonly One[]): One | undefined => list[Math.floor(random(list.length))];
const dayText = (year: number) =>
  new Date(Date.UTC(year, 0, 1) + Math.floor(random(365)) * DAY_MS).toISOString().slice(0, 10);

beforeEach(async () => {
  seed = 20_261_129;
  await service.clock.setTime(START);
  organization = await newOrganization(service, 1_000_000_000);
  yearly = createYearly(service, organization);
});

const delivery = (address: string) => ({ method: 'email', email: address });

async function put(input: object): Promise<string> {
  const { status, body } = await organization.live.put('/v1/contacts', input);
  assert.ok(status < 300, JSON.stringify(body));
  return body.contact_id;
}

/** The list of the first system: by its own id, with the days. */
const fromFirst = async (person: Person) => {
  const { externalId, address, name, birthday, start } = person;
  const days = { birthday, work_anniversary: start };
  person.contactId = await put({ external_id: externalId, delivery: delivery(address), name, ...days });
};
/** The list of the second: by the address, with the tags. */
const fromSecond = ({ address, name }: Person) => put({ delivery: delivery(address), name, tags: ['team'] });
const remove = async ({ contactId }: Person) => {
  const { status, body } = await organization.live.request('DELETE', `/v1/contacts/${contactId}`);
  assert.equal(status, 200, JSON.stringify(body));
};

function hire(people: Person[]): Person {
  const id = `p${people.length}`;
  const address = `${id}@example.com`;
  const birthday = isOneIn(2) ? dayText(1985) : dayText(1985).slice(5);
  const person = { id, externalId: `E-${id}`, address, name: id, birthday, start: dayText(2020), isEmployed: true };
  people.push({ ...person, contactId: '' });
  return people.at(-1) as Person;
}

/** What happens in one night. Returns what it was, for the message of a failure. */
async function change(people: Person[], day: number): Promise<string> {
  const staff = people.filter(({ isEmployed }, n) => isEmployed && n >= STEADY);
  const person = pick(staff);
  const gone = pick(people.filter(({ isEmployed }) => !isEmployed));
  if (person === undefined) return 'nothing';
  const act = Math.floor(random(8));
  if (act === 0) {
    await remove(person);
    person.isEmployed = false;
  } else if (act === 1 && gone !== undefined) {
    gone.isEmployed = true;
    await fromFirst(gone);
  } else if (act === 2) {
    person.address = `${person.id}-${day}@example.com`;
    await fromFirst(person);
  } else if (act === 3) {
    person.name = `${person.id} ${day}`;
    await fromFirst(person);
  } else if (act === 4) {
    // A list that deletes and adds.
    await remove(person);
    await fromFirst(person);
  } else if (act === 5) {
    await put({ external_id: person.externalId, delivery: delivery(person.address) });
    await put({ delivery: delivery(person.address), external_id: null });
    person.externalId = `${person.externalId}x`;
    await fromFirst(person);
  } else if (act === 6) {
    // The day is corrected, by a list that changes or that deletes and adds.
    if (isOneIn(2)) await remove(person);
    person.birthday = dayText(1985);
    await fromFirst(person);
  } else {
    await fromFirst(hire(people));
  }
  return `${act} ${person.id}`;
}

interface Sent {
  gift_id: string;
  address: string;
  key: string;
}

/** The gifts that went out, with the rule, the contact and the year of their keys. */
const sentGifts = () =>
  service.sql<Sent>(
    `select g.gift_id, g.address, o.idempotency_key as key from gifts g
     join orders o using (organization_id, environment, order_id)
     where g.organization_id = $1 and g.canceled_at is null and g.is_waiting is null`,
    [organization.organizationUuid],
  );

async function approveOpen(): Promise<void> {
  const admin = await yearly.admin();
  const { data } = (await admin.call('GET', requestsPath(organization, '?state=open&limit=100', 'live'))).body;
  for (const { gift_request_id } of data)
    await admin.call('POST', requestsPath(organization, `/${gift_request_id}/approve`, 'live'), {});
}

/** One night and day; a process dies in some of them. */
async function passDay(day: number): Promise<void> {
  await service.clock.setTime(START + day * DAY_MS);
  if (isOneIn(12)) {
    const dying = killedAfter(service.service.deps, Math.floor(random(60)) + 1);
    await yearly.run(dying.deps).catch((error: Error) => assert.match(error.message, /killed|dead|being committed/));
  }
  await yearly.run();
  if (day % DAYS_BETWEEN_APPROVALS === 0) await approveOpen();
  await sendDueGifts(service.service.deps);
}

test('in two years of joins, leaves, moves and kills each person has one gift of a rule and year, and none who left', async () => {
  const people: Person[] = [];
  for (let n = 0; n < PEOPLE; n += 1) await fromFirst(hire(people));
  for (const person of people) await fromSecond(person);
  const birthdays = await yearly.addRule({ mode: 'approval', yearly_limit: null });
  await yearly.addRule({ occasion: 'work_anniversary', tag: 'team' });
  const seen = new Set<string>();
  const had = new Map<string, number>();
  let pausedUntil = 0;
  for (let day = 1; day <= DAYS; day += 1) {
    const what = isOneIn(2) ? await change(people, day) : 'nothing';
    if (day % 7 === 0)
      for (const person of people) if (person.isEmployed) await (isOneIn(2) ? fromSecond(person) : fromFirst(person));
    if (pausedUntil === 0 && isOneIn(90)) {
      pausedUntil = day + 1 + Math.floor(random(10));
      await yearly.changeRule(birthdays, { is_paused: true });
    } else if (pausedUntil === day) {
      pausedUntil = 0;
      await yearly.changeRule(birthdays, { is_paused: false });
    }
    await passDay(day);
    for (const { gift_id, address, key } of await sentGifts()) {
      if (seen.has(gift_id)) continue;
      seen.add(gift_id);
      const person = people.find((one) => one.address === address);
      assert.ok(person, `day ${day}, ${what}: ${address} is an old address`);
      assert.ok(person.isEmployed, `day ${day}, ${what}: ${address} left`);
      const [, rule, , , year] = key.split('_');
      const gift = `${person.id} ${rule} ${year}`;
      assert.ok(!had.has(gift), `day ${day}, ${what}: ${gift} was sent on day ${had.get(gift)} before`);
      had.set(gift, day);
    }
  }
  for (const { id } of people.slice(0, STEADY)) {
    const gifts = [...had.keys()].filter((one) => one.startsWith(`${id} `)).length;
    assert.ok(gifts >= 2, `${id} has ${gifts} gifts in two years`);
  }
  assert.ok(had.size > PEOPLE, `${had.size} gifts`);
  await verifyAll(service);
});
