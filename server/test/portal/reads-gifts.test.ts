import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decodeId, encodeId } from '../../src/base/ids.ts';
import { exportGifts } from '../../src/gifts/export-gifts.ts';
import { listAttention } from '../../src/gifts/list-attention.ts';
import type { GiftSummary } from '../../src/gifts/portal-schema.ts';
import { giftStatus } from '../../src/gifts/present-gift.ts';
import { type GiftSearch, searchGifts } from '../../src/gifts/search-gifts.ts';
import type { PageRequest } from '../../src/paging/read-page.ts';
import { allowChanges } from '../harness/allow-changes.ts';
import { emailGift, gift, linkGift } from '../harness/api-client.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { assertCursorRefused, assertPages, copyOrder, impossibleCursors, scopeOf } from '../harness/portal-reads.ts';
import { startTestService } from '../harness/test-service.ts';

/** The portal's list of gifts. */

const DAY_MS = 86_400_000;
const MARKUP = `<b>Ada</b> & "Co" 100%_\\`;

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const scope = openForFile(async () => scopeOf(organization));
/** All of the organization's sandbox, newest first. */
let all: GiftSummary[];
/** When each of the three days' orders were placed. */
const times: Date[] = [];

const to = (method: 'email' | 'phone', address: string, recipient_name?: string) =>
  gift({ delivery: { method, [method]: address }, ...(recipient_name ? { personalization: { recipient_name } } : {}) });

before(async () => {
  const days = [
    [emailGift('delivered'), emailGift('bounced'), emailGift('opened+1'), emailGift('claimed'), emailGift('spent')],
    [linkGift(), gift({ category: 'books', delivery: { method: 'link' } }), to('phone', '+1 (202) 555-0101')],
    [
      to('email', 'Ada.Lovelace@Example.com', MARKUP),
      to('email', 'ada.lovelace@example.com', 'Ämilie ŒUVRE'),
      to('phone', '+12025550143', 'Charles Babbage'),
      to('email', 'adam@example.com', 'Adam'),
    ],
  ];
  for (const gifts of days) {
    times.push(new Date(service.clock.now()));
    for (const each of gifts) assert.equal((await organization.sandbox.order([each])).status, 201);
    await pass(DAY_MS);
  }
  const stranger = await service.organization();
  for (const client of [organization.live, stranger.sandbox])
    await client.order([to('email', 'ada.lovelace@example.com', 'Adam'), gift({ category: 'books' })]);
  all = (await search({ limit: 100 })).rows;
  assert.equal(all.length, 12);
});

const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);
const search = (request: GiftSearch & PageRequest, of = scope) => searchGifts(service.service.deps, of, request);
const uuid = (prefix: 'gift' | 'ord', id: string) => decodeId(prefix, id) ?? '';

test('every filter returns exactly its matches at any page size', async () => {
  const statuses = ['sent', 'opened', 'claimed', 'failed'] as const;
  const methods = ['email', 'phone', 'link'] as const;
  const [first, second, third] = times as [Date, Date, Date];
  const failed = all.find(({ status }) => status === 'failed') as GiftSummary;
  const query = failed.gift_id;
  const later = new Date(second.getTime() + 1);
  const cases: [GiftSearch, (gift: GiftSummary) => boolean][] = [
    [{}, () => true],
    ...statuses.map((status): (typeof cases)[number] => [{ status }, (one) => one.status === status]),
    ...methods.map((method): (typeof cases)[number] => [{ method }, (one) => one.method === method]),
    [{ category: 'books' }, (one) => one.category.id === 'books'],
    [{ category: 'travel' }, () => false],
    [{ from: second }, (one) => one.created_at >= second],
    [{ to: second }, (one) => one.created_at < second],
    [{ from: first, to: second }, (one) => one.created_at < second],
    [{ from: second, to: later }, (one) => one.created_at.getTime() === second.getTime()],
    [{ from: third, to: second }, () => false],
    [{ from: new Date(-1), to: new Date(8.64e15) }, () => true],
    [{ status: 'failed', method: 'phone', from: second }, (one) => one.address === '+12025550101'],
    [{ status: 'sent', category: 'coffee', to: second }, (one) => one.address?.startsWith('delivered') ?? false],
    [{ query, status: 'failed', method: failed.method, category: 'coffee' }, (one) => one === failed],
    [{ query, status: 'sent' }, () => false],
    [{ query, method: 'link' }, () => false],
    [{ query, category: 'books' }, () => false],
    [{ query, to: failed.created_at }, () => false],
    [{ query, from: new Date(failed.created_at.getTime() + 1) }, () => false],
  ];
  for (const [filter, isFound] of cases) {
    const expected = all.filter(isFound);
    await assertPages((request) => search({ ...filter, ...request }), expected, JSON.stringify(filter));
    const exported = await Array.fromAsync(exportGifts(service.service.deps, scope, filter));
    assert.deepEqual(exported, expected, JSON.stringify(filter));
  }
});

test('a query finds gifts by id, order, address and name in any case', async () => {
  const one = all[3] as GiftSummary;
  const byAddress = (pattern: RegExp) => (each: GiftSummary) => pattern.test(each.address ?? '');
  const cases: [query: string, isFound: (gift: GiftSummary) => boolean][] = [
    [one.gift_id, ({ gift_id }) => gift_id === one.gift_id],
    [` ${one.gift_id.toUpperCase()} `, ({ gift_id }) => gift_id === one.gift_id],
    [one.order_id, ({ order_id }) => order_id === one.order_id],
    ['ADA.lovelace@example.COM', byAddress(/^ada\.lovelace@/i)],
    ['ada.lovelace@e', byAddress(/^ada\.lovelace@/i)],
    ['ada', (each) => /^ada/i.test(each.address ?? '') || /ada/i.test(each.recipient_name ?? '')],
    ['lovelace', () => false],
    ['+12025550143', byAddress(/^\+12025550143$/)],
    ['+1 (202) 555', byAddress(/^\+1202555/)],
    ['(202) 555-0143', byAddress(/2025550143/)],
    ['0143', byAddress(/0143/)],
    ['babb', byAddress(/0143$/)],
    ['CHARLES B', byAddress(/0143$/)],
    ['ämilie œ', (each) => each.recipient_name === 'Ämilie ŒUVRE'],
    [MARKUP.toUpperCase(), (each) => each.recipient_name === MARKUP],
    ['100%_\\', (each) => each.recipient_name === MARKUP],
    ['%', (each) => each.recipient_name === MARKUP],
    ['__', () => false],
    [`' or 1=1 --`, () => false],
    ['', () => true],
  ];
  for (const [query, isFound] of cases) {
    const expected = all.filter(isFound);
    await assertPages((request) => search({ query, ...request }), expected, query);
    assert.deepEqual(await Array.fromAsync(exportGifts(service.service.deps, scope, { query })), expected, query);
  }
});

test('a foreign id finds nothing and is an invalid cursor', async () => {
  const stranger = await service.organization();
  const foreign = (await stranger.sandbox.order([linkGift()])).body;
  const live = (await organization.live.order([linkGift()])).body;
  for (const { order_id, gifts } of [foreign, live]) {
    for (const query of [order_id, gifts[0].gift_id])
      assert.deepEqual(await search({ query, limit: 5 }), { rows: [], older: null, newer: null, searched_to: null });
    await assertCursorRefused(search, gifts[0].gift_id);
  }
  const own = uuid('gift', all[0]?.gift_id ?? '');
  for (const cursor of impossibleCursors('gift', own)) await assertCursorRefused(search, cursor);
});

test('the status filter agrees with the status in every state', async () => {
  const other = await service.organization();
  await other.sandbox.order([linkGift(), gift()]);
  const [link, email] = await service.sql<{ gift_id: string }>(
    `select gift_id from gifts where organization_id = $1 order by gift_id`,
    [other.organizationUuid],
  );
  await allowChanges(service.sql, ['gifts']);
  const states = [null, 'pending', 'delivered', 'failed'].flatMap((delivery) =>
    [0, 1, 2].map((steps) => ({ delivery, opened: steps > 0, claimed: steps > 1 })),
  );
  for (const { delivery, opened, claimed } of states) {
    const { gift_id } = (delivery === null ? link : email) as { gift_id: string };
    const at = new Date(service.clock.now());
    await service.sql(
      `update gifts set delivery_state = $3, opened_at = $4, claimed_at = $5, card_id = $6
       where organization_id = $1 and gift_id = $2`,
      [other.organizationUuid, gift_id, delivery, opened ? at : null, claimed ? at : null, claimed ? gift_id : null],
    );
    const expected = giftStatus({
      delivery_state: delivery as 'pending',
      opened_at: opened ? at : null,
      claimed_at: claimed ? at : null,
    });
    for (const status of ['sent', 'failed', 'opened', 'claimed'] as const) {
      const { rows } = await search({ status, limit: 5 }, scopeOf(other));
      const isFound = rows.some((row) => row.gift_id === encodeId('gift', gift_id) && row.status === status);
      assert.equal(isFound, status === expected, JSON.stringify({ delivery, opened, claimed, status }));
    }
  }
});

test('a search stops after 2,000 gifts and continues at its cursor', async () => {
  const busy = await service.organization({ sandbox: 200_000_000 });
  const ofBusy = scopeOf(busy);
  const wanted = to('email', 'wanted@example.com', 'Wanted');
  const first = (await busy.sandbox.order([wanted])).body.gifts[0].gift_id;
  await pass(1_000);
  await busy.sandbox.order([to('email', 'other@example.com')]);
  await copyOrder(service, busy, 4_200);
  await pass(1_000);
  const last = (await busy.sandbox.order([wanted])).body.gifts[0].gift_id;

  const look = (request: PageRequest) => search({ query: 'wanted', ...request }, ofBusy);
  const pages = [await look({ limit: 5 })];
  for (let page = pages[0]; page?.older != null; page = pages.at(-1))
    pages.push(await look({ limit: 5, after: page.older }));
  assert.deepEqual(
    pages.map(({ rows }) => rows.map(({ gift_id }) => gift_id)),
    [[last], [], [first]],
  );
  for (const page of pages) assert.equal(page.searched_to === null, page.older === null);
  await assertPages(look, [...(pages[0]?.rows ?? []), ...(pages[2]?.rows ?? [])], 'wanted');
  assert.equal((await Array.fromAsync(exportGifts(service.service.deps, ofBusy, { query: 'wanted' }))).length, 2);
  assert.equal((await Array.fromAsync(exportGifts(service.service.deps, ofBusy, {}))).length, 4_203);
  // Without filters the search looks at no extra rows.
  const whole = await search({ limit: 3 }, ofBusy);
  assert.deepEqual([whole.rows.length, whole.searched_to], [3, null]);
  assert.deepEqual((await look({ limit: 1 })).searched_to, null);
});

test('attention counts up to a hundred redirectable gifts and shows five', async () => {
  const other = await service.organization({ sandbox: 10_000_000 });
  const attention = () => listAttention(service.service.deps, scopeOf(other));
  assert.deepEqual(await attention(), { count: 0, has_more: false, newest: [] });
  const failed = (await other.sandbox.order([emailGift('bounced'), emailGift('bounced'), emailGift('delivered')])).body
    .gifts as { gift_id: string }[];
  // Opened after all: it did arrive.
  await other.sandbox.post(`/v1/sandbox/gifts/${failed[0]?.gift_id}/open`);
  const one = await attention();
  assert.deepEqual([one.count, one.has_more], [1, false]);
  assert.deepEqual(one.newest, (await search({ status: 'failed', limit: 5 }, scopeOf(other))).rows);
  assert.equal(one.newest[0]?.gift_id, failed[1]?.gift_id);
  for (const name of ['delivery-failed', 'bounced', 'delivery-failed', 'bounced', 'delivery-failed'])
    await other.sandbox.put(`/v1/gifts/${failed[1]?.gift_id}/delivery`, {
      method: 'email',
      email: `${name}@sandbox.gift.test`,
    });
  assert.deepEqual(await attention(), { count: 0, has_more: false, newest: [] });
  const ten = Array.from({ length: 10 }, () => emailGift('bounced', 1000));
  for (const count of [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]) {
    await other.sandbox.order(ten);
    const now = await attention();
    assert.deepEqual([now.count, now.has_more, now.newest.length], [count, false, 5]);
  }
  await other.sandbox.order([emailGift('bounced')]);
  const more = await attention();
  assert.deepEqual([more.count, more.has_more], [100, true]);
  assert.deepEqual(more.newest, (await search({ status: 'failed', limit: 5 }, scopeOf(other))).rows);
});
