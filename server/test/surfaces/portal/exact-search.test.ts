import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { portalReader } from '../../harness/portal-reader.ts';
import { assertPages, copyOrder } from '../../harness/portal-reads.ts';
import { startTestService } from '../../harness/test-service.ts';

// A search for a whole address, an id or an external id finds gifts that are older than the newest 2,000.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization({ sandbox: 200_000_000 }));
const portal = portalReader(service);
/** Ids of the old gifts, which thousands follow. */
const old: Record<'email' | 'phone' | 'named', string> = { email: '', phone: '', named: '' };

const to = (method: 'email' | 'phone', address: string, more = {}) =>
  gift({ delivery: { method, [method]: address }, ...more });

async function place(one: unknown): Promise<string> {
  const { status, body } = await organization.sandbox.order([one]);
  assert.equal(status, 201, JSON.stringify(body));
  await service.clock.jump(1_000);
  return body.gifts[0].gift_id;
}

before(async () => {
  old.email = await place(to('email', 'Ada@Example.com', { personalization: { recipient_name: 'Wanted' } }));
  old.phone = await place(to('phone', '+1 (202) 555-0143'));
  old.named = await place({ ...linkGift(), external_id: 'Invoice 7' });
  await place(to('email', 'other@example.com'));
  await copyOrder(service, organization, 4_200);
  await service.clock.jump(1_000);
});

const search = async (query: string, more = '') =>
  (await portal.get(organization, `/gifts?query=${encodeURIComponent(query)}${more}`)) as {
    data: { gift_id: string }[];
    older: string | null;
    found_by: string | null;
  };

test('a whole address, an id and an external id find a gift of any age at once', async () => {
  for (const [query, giftId, foundBy] of [
    ['ada@example.com', old.email, 'address'],
    [' ADA@EXAMPLE.COM ', old.email, 'address'],
    ['+12025550143', old.phone, 'address'],
    ['001 202 555-0143', old.phone, 'address'],
    ['Invoice 7', old.named, 'external_id'],
    [old.email, old.email, 'id'],
  ] as const) {
    const { data, older, found_by } = await search(query);
    assert.deepEqual([data.map(({ gift_id }) => gift_id), older, found_by], [[giftId], null, foundBy], query);
    const total = await portal.get(organization, `/gifts/total?query=${encodeURIComponent(query)}`);
    assert.deepEqual([total.count, total.newest], [1, null], query);
  }
});

test('any other text is looked for in the newest gifts', async () => {
  for (const query of ['wanted', 'ada@example.co', 'invoice', 'ada@']) {
    const { data, older, found_by } = await search(query);
    assert.deepEqual([data, older !== null, found_by], [[], true, null], query);
  }
});

test('a text that is also an external id is looked for in texts when that is asked', async () => {
  const named = await place({ ...linkGift(), external_id: 'Grace' });
  const called = await place(to('email', 'g.h@example.com', { personalization: { recipient_name: 'Grace Hopper' } }));
  const idsOf = async (more: string) => {
    const { data, found_by } = await search('Grace', more);
    const total = await portal.get(organization, `/gifts/total?query=Grace${more}`);
    return [data.map(({ gift_id }) => gift_id), found_by, total.count];
  };
  assert.deepEqual(await idsOf(''), [[named], 'external_id', 1]);
  assert.deepEqual(await idsOf('&within=texts'), [[called, named], null, 2]);
});

test('filters, an order and pages hold within what an address finds', async () => {
  const newest = await place(to('email', 'ada@example.com'));
  assert.deepEqual((await search('ada@example.com', '&method=phone')).data, []);
  assert.deepEqual((await search('ada@example.com', '&sort=largest')).data.length, 2);
  const look = portal.pages(organization, '/gifts', { query: 'ada@example.com' });
  const { rows } = await look({ limit: 5 });
  assert.deepEqual(
    rows.map(({ gift_id }) => gift_id),
    [newest, old.email],
  );
  await assertPages(look, rows, 'an address', [1, 2]);
});

test('many gifts to one address are read a page at a time, and a filter stops after 2,000', async () => {
  const { data, older } = await search('other@example.com');
  assert.deepEqual([data.length, older !== null], [25, true]);
  const refused = await search('other@example.com', '&method=phone');
  assert.deepEqual([refused.data, refused.older !== null], [[], true]);
  const total = await portal.get(organization, '/gifts/total?query=other@example.com');
  assert.deepEqual([total.count, total.newest], [2_000, 2_000]);
});
