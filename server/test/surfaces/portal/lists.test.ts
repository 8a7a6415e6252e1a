import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { decodeId, type IdPrefix } from '../../../src/platform/base/ids.ts';
import { allowChanges } from '../../harness/allow-changes.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { portalReader } from '../../harness/portal-reader.ts';
import { assertPages, copyOrder, impossibleCursors } from '../../harness/portal-reads.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The portal's lists of gifts, orders and entries: filters, pages, cursors and the CSV of each. */

const DAY_MS = 86_400_000;
const MARKUP = `<b>Ada</b> & "Co" 100%_\\`;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const portal = portalReader(service);
/** When each of the three days' orders were placed. */
const times: string[] = [];

type Row = Record<string, string> & { category: { id: string } };
const ids = { gifts: 'gift_id', orders: 'order_id', 'balance/entries': 'entry_id' } as const;
type List = keyof typeof ids;
const prefixes: Record<List, IdPrefix> = { gifts: 'gift', orders: 'ord', 'balance/entries': 'led' };
const lists = Object.keys(ids) as List[];
/** All of the organization's sandbox, newest first. */
const all = {} as Record<List, Row[]>;

const to = (method: 'email' | 'phone', address: string, recipient_name?: string) =>
  gift({ delivery: { method, [method]: address }, ...(recipient_name ? { personalization: { recipient_name } } : {}) });
const pass = (ms: number) => service.clock.jump(ms);

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
  for (const [day, gifts] of days.entries()) {
    times.push(new Date(service.clock.now()).toISOString());
    for (const [n, each] of gifts.entries())
      assert.equal((await organization.sandbox.order([each], `Key ${day}-${n}`)).status, 201);
    await changeOrRepeat(service.service.deps, {
      kind: 'adjustment',
      organizationId: organization.organizationId,
      environment: 'sandbox',
      amountCents: -700,
      reference: `Credit note ${day}`,
      note: 'Given back',
      actor: OPERATOR,
    });
    await pass(DAY_MS);
  }
  const stranger = await service.organization();
  for (const client of [organization.live, stranger.sandbox])
    await client.order([to('email', 'ada.lovelace@example.com', 'Adam'), gift({ category: 'books' })], 'Key 0-1');
  for (const list of lists) all[list] = (await portal.get(organization, `/${list}?limit=100`)).data;
  assert.deepEqual(
    lists.map((list) => all[list].length),
    [12, 12, 16],
  );
});

type Case = [query: Record<string, string>, isFound: (row: Row) => boolean];

/** The times that each list is filtered by. */
function timeCases(list: List): Case[] {
  const [first = '', second = '', third = ''] = times;
  // An entry's id may be a millisecond later than the entry.
  const later = new Date(Date.parse(second) + (list === 'balance/entries' ? 2 : 1)).toISOString();
  return [
    [{}, () => true],
    [{ from: second }, (one) => (one['created_at'] ?? '') >= second],
    [{ to: second }, (one) => (one['created_at'] ?? '') < second],
    [{ from: first, to: second }, (one) => (one['created_at'] ?? '') < second && (one['created_at'] ?? '') >= first],
    [{ from: second, to: later }, (one) => one['created_at'] === second],
    [{ from: third, to: second }, () => false],
    [{ from: '1969-12-31T23:59:59.999Z', to: '9999-12-31T23:59:59.999Z' }, () => true],
  ];
}

const equals = (name: string, value: string): Case => [{ [name]: value }, (one) => one[name] === value];

function giftCases(): Case[] {
  const [, second = ''] = times;
  const failed = all.gifts.find(({ status }) => status === 'failed') as Row;
  const query = failed['gift_id'] ?? '';
  const created = failed['created_at'] ?? '';
  return [
    ...['sent', 'opened', 'claimed', 'failed'].map((status) => equals('status', status)),
    ...['email', 'phone', 'link'].map((method) => equals('method', method)),
    [{ category: 'books' }, (one) => one.category.id === 'books'],
    [{ category: 'travel' }, () => false],
    [{ status: 'failed', method: 'phone', from: second }, (one) => one['address'] === '+12025550101'],
    [{ status: 'sent', category: 'coffee', to: second }, (one) => one['address']?.startsWith('delivered') ?? false],
    [{ query, status: 'failed', method: failed['method'] ?? '', category: 'coffee' }, (one) => one === failed],
    [{ query, status: 'sent' }, () => false],
    [{ query, method: 'link' }, () => false],
    [{ query, category: 'books' }, () => false],
    [{ query, to: created }, () => false],
    [{ query, from: new Date(Date.parse(created) + 1).toISOString() }, () => false],
    ...giftQueries().map(([text, isFound]): Case => [{ query: text }, isFound]),
  ];
}

/** Ids, addresses and names, in any case. */
function giftQueries(): [query: string, isFound: (row: Row) => boolean][] {
  const one = all.gifts[3] as Row;
  const [giftId = '', orderId = ''] = [one['gift_id'], one['order_id']];
  const byAddress = (pattern: RegExp) => (each: Row) => pattern.test(each['address'] ?? '');
  const byName = (name: string) => (each: Row) => each['recipient_name'] === name;
  return [
    [giftId, (each) => each === one],
    [` ${giftId.toUpperCase()} `, (each) => each === one],
    [orderId, (each) => each['order_id'] === orderId],
    ['ADA.lovelace@example.COM', byAddress(/^ada\.lovelace@/i)],
    ['ada.lovelace@e', byAddress(/^ada\.lovelace@/i)],
    ['ada', (each) => /^ada/i.test(each['address'] ?? '') || /ada/i.test(each['recipient_name'] ?? '')],
    ['lovelace', () => false],
    ['+12025550143', byAddress(/^\+12025550143$/)],
    ['+1 (202) 555', byAddress(/^\+1202555/)],
    ['(202) 555-0143', byAddress(/2025550143/)],
    ['0143', byAddress(/0143/)],
    ['babb', byAddress(/0143$/)],
    ['CHARLES B', byAddress(/0143$/)],
    ['ämilie œ', byName('Ämilie ŒUVRE')],
    [MARKUP.toUpperCase(), byName(MARKUP)],
    ['100%_\\', byName(MARKUP)],
    ['%', byName(MARKUP)],
    ['__', () => false],
    [`' or 1=1 --`, () => false],
  ];
}

function orderCases(): Case[] {
  const [first = '', second = ''] = times;
  const order = all.orders[8] as Row;
  const [query = '', created = ''] = [order['order_id'], order['created_at']];
  return [
    [{ query: 'Key 0-1' }, (one) => one['idempotency_key'] === 'Key 0-1'],
    [{ query: 'key 0-1' }, () => false],
    [{ query: 'Key 0' }, () => false],
    [{ query: 'Key 0-1', from: second }, () => false],
    [{ query: ` ${query.toUpperCase()} ` }, (one) => one === order],
    [{ query, to: first }, () => false],
    [{ query, from: created }, (one) => one === order],
    [{ query, to: created }, () => false],
    [{ query: ' ' }, () => true],
  ];
}

const kinds = ['funding', 'adjustment', 'order', 'refund'];
const entryCases = (): Case[] => [
  ...kinds.map((kind) => equals('kind', kind)),
  ...kinds.map((kind): Case => {
    const [, second = ''] = times;
    return [{ kind, from: second }, (one) => one['kind'] === kind && (one['created_at'] ?? '') >= second];
  }),
];

for (const [list, cases] of [
  ['gifts', giftCases],
  ['orders', orderCases],
  ['balance/entries', entryCases],
] as const)
  test(`each filter of ${list} returns exactly its matches, by pages and as CSV`, async () => {
    for (const [index, [query, isFound]] of [...timeCases(list), ...cases()].entries()) {
      const expected = all[list].filter(isFound);
      const name = JSON.stringify(query);
      const pages = portal.pages(organization, `/${list}`, query);
      await assertPages(pages, expected, name, index === 0 ? [1, 2, 3, 100] : [2]);
      const csv: string = await portal.get(organization, `/${list}.csv?${new URLSearchParams(query)}`);
      const lines = csv.trimEnd().split('\r\n').slice(1);
      assert.deepEqual(
        lines.map((line) => line.split(',', 1)[0]),
        expected.map((row) => row[ids[list]]),
        name,
      );
    }
  });

test('a foreign id finds nothing and is an invalid cursor', async () => {
  const stranger = await service.organization();
  const foreign = [
    (await stranger.sandbox.order([linkGift()], 'foreign')).body,
    (await organization.live.order([linkGift()], 'live')).body,
  ];
  for (const { order_id, gifts } of foreign)
    for (const [list, query] of [
      ['gifts', order_id],
      ['gifts', gifts[0].gift_id],
      ['orders', order_id],
      ['orders', 'foreign'],
      ['orders', 'live'],
    ])
      assert.deepEqual((await portal.get(organization, `/${list}?query=${query}`)).data, [], query);
  for (const list of lists) {
    const own = decodeId(prefixes[list], all[list][0]?.[ids[list]] ?? '') ?? '';
    const theirs = [
      ...(await portal.get(stranger, `/${list}`)).data,
      ...(await portal.get(organization, `/${list}`, 'live')).data,
    ].map((row) => row[ids[list]]);
    assert.ok(theirs.length > 1);
    for (const cursor of [...theirs, ...impossibleCursors(prefixes[list], own)])
      for (const param of ['after', 'before']) {
        const { status, body } = await portal.answer(
          organization,
          `/${list}?${new URLSearchParams({ [param]: cursor })}`,
        );
        if (cursor === '') assert.equal(status, 200, `${list} has an empty field`);
        else assert.deepEqual([status, body.error.param], [422, param], `${list}: ${cursor.slice(0, 50)}`);
      }
  }
});

test('an idempotency key is found even if it looks like an order id', async () => {
  const other = await service.organization();
  const first = (await other.sandbox.order([linkGift()])).body.order_id;
  const second = (await other.sandbox.order([linkGift()], first)).body.order_id;
  const { data } = await portal.get(other, `/orders?query=${first}`);
  assert.deepEqual(data.map(({ order_id }: Row) => order_id).sort(), [first, second].sort());
});

test('the status filter agrees with the status in every state', async () => {
  const other = await service.organization();
  const states = [null, 'pending', 'delivered', 'failed'].flatMap((delivery) =>
    [0, 1, 2].map((steps) => ({ delivery, steps })),
  );
  await allowChanges(service.sql, ['gifts']);
  const expected = new Map<string, string>();
  for (const { delivery, steps } of states) {
    const { body } = await other.sandbox.order([delivery === null ? linkGift() : gift()]);
    const id = body.gifts[0].gift_id;
    await service.sql(
      `update gifts set delivery_state = $2, opened_at = case when $3 > 0 then created_at end,
         claimed_at = case when $3 > 1 then created_at end, card_id = case when $3 > 1 then gift_id end
       where gift_id = $1`,
      [decodeId('gift', id), delivery, steps],
    );
    expected.set(id, ['', 'opened', 'claimed'][steps] || (delivery === 'failed' ? 'failed' : 'sent'));
  }
  for (const status of ['sent', 'failed', 'opened', 'claimed']) {
    const { data } = await portal.get(other, `/gifts?limit=100&status=${status}`);
    assert.ok(data.every((row: Row) => row['status'] === status));
    const found = [...expected].filter(([, wanted]) => wanted === status).map(([id]) => id);
    assert.deepEqual(data.map(({ gift_id }: Row) => gift_id).sort(), found.sort(), status);
  }
});

test('a search stops after 2,000 gifts and continues at its cursor', async () => {
  const busy = await service.organization({ sandbox: 200_000_000 });
  const wanted = to('email', 'wanted@example.com', 'Wanted');
  const first = (await busy.sandbox.order([wanted])).body.gifts[0].gift_id;
  await pass(1_000);
  await busy.sandbox.order([to('email', 'other@example.com')]);
  await copyOrder(service, busy, 4_200);
  await pass(1_000);
  const last = (await busy.sandbox.order([wanted])).body.gifts[0].gift_id;

  const look = portal.pages(busy, '/gifts', { query: 'wanted' });
  const pages = [await look({ limit: 5 })];
  for (let page = pages[0]; page?.older != null; page = pages.at(-1))
    pages.push(await look({ limit: 5, after: page.older }));
  assert.deepEqual(
    pages.map(({ rows }) => rows.map(({ gift_id }) => gift_id)),
    [[last], [], [first]],
  );
  for (const page of pages) assert.equal(page.searched_to === null, page.older === null);
  await assertPages(look, [...(pages[0]?.rows ?? []), ...(pages[2]?.rows ?? [])], 'wanted');
  const linesOf = async (query: string) =>
    (await portal.get(busy, `/gifts.csv${query}`)).trimEnd().split('\r\n').length;
  assert.deepEqual([await linesOf('?query=wanted'), await linesOf('')], [3, 4_204]);
  // Without filters the search looks at no extra rows.
  const whole = await portal.get(busy, '/gifts?limit=3');
  assert.deepEqual([whole.data.length, whole.searched_to], [3, null]);
  assert.deepEqual((await look({ limit: 1 })).searched_to, null);
});
