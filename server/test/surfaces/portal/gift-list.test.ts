import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { blankGift, giftsPath, orderGifts } from '../../harness/portal-gifts.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The list of gifts of the portal and its export, as its app gets them. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));

const now = () => new Date(service.clock.now()).toISOString();

test('the list pages in both directions and applies its filters', async () => {
  const other = await service.organization();
  await service.sql(`update members set email = 'list@example.com' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  const person = await createPortalClient(service, 'list@example.com');
  const first = now();
  const [oldest] = await orderGifts(other, [emailGift('bounced', 1234)]);
  await service.clock.jump(60_000);
  const second = now();
  await orderGifts(other, [linkGift(), gift({ category: 'books', personalization: { recipient_name: 'Ádá' } })]);
  const list = (query = '') => person.call('GET', giftsPath(other, query));
  const whole = (await list()).body;
  assert.deepEqual([whole.data.length, whole.older, whole.newer, whole.searched_to], [3, null, null, null]);
  const { order_id } = whole.data[2];
  assert.deepEqual(whole.data[2], {
    ...blankGift,
    gift_id: oldest,
    order_id,
    status: 'failed',
    amount: 1234,
    category: { id: 'coffee', name: 'coffee' },
    method: 'email',
    address: 'bounced@sandbox.gift.test',
    sender_name: 'Test Organization',
    created_at: first,
    state: 'failed',
    is_kept: false,
    failure_reason: whole.data[2].failure_reason,
  });
  const newest = (await list('?limit=2')).body;
  assert.deepEqual([newest.data, newest.newer], [whole.data.slice(0, 2), null]);
  const older = (await list(`?limit=2&after=${newest.older}`)).body;
  assert.deepEqual([older.data, older.older], [whole.data.slice(2), null]);
  assert.deepEqual((await list(`?limit=2&before=${older.newer}`)).body.data, newest.data);
  const oldestFirst = (await list('?limit=2&order=oldest')).body;
  assert.deepEqual([oldestFirst.data, oldestFirst.older], [whole.data.slice(1), null]);
  assert.deepEqual((await list(`?limit=2&order=oldest&before=${oldestFirst.newer}`)).body.data, whole.data.slice(0, 1));
  const total = async (query: string) => (await person.call('GET', giftsPath(other, `/total?${query}`))).body;
  for (const [query, count, amount] of [
    ['', 3, 6234],
    ['status=failed', 1, 1234],
    ['query=ada', 1, 2500],
    [`query=${order_id}`, 1, 1234],
    [`from=${second}&method=link`, 1, 2500],
    ['status=canceled', 0, 0],
  ] as const)
    assert.deepEqual(await total(query), { count, amount, newest: null }, query);
  for (const [query, expected] of [
    ['status=failed', [2]],
    ['method=link', [1]],
    ['category=books', [0]],
    ['query=ada', [0]],
    [`query=${order_id}`, [2]],
    [`from=${second}`, [0, 1]],
    [`to=${second}`, [2]],
    ['status=&query=&category=', [0, 1, 2]],
    ['status=failed&method=link', []],
  ] as const) {
    const { data } = (await list(`?${query}`)).body;
    const ids = expected.map((index) => whole.data[index].gift_id);
    assert.deepEqual(data.map(({ gift_id }: { gift_id: string }) => gift_id).sort(), ids.sort(), query);
  }
  for (const [query, param] of [
    ['status=lost', 'status'],
    ['method=pigeon', 'method'],
    ['from=yesterday', 'from'],
    ['limit=101', 'limit'],
    ['colour=red', 'colour'],
    ['after=gift_01h455vb4pex5vsknk084sn02q', 'after'],
    [`after=${oldest}&before=${oldest}`, 'before'],
  ] as const) {
    const { status, body } = await list(`?${query}`);
    assert.deepEqual([status, body.error.param], [422, param], query);
  }
});

test('the export has the filtered gifts as CSV without formulas', async () => {
  const other = await service.organization();
  await service.sql(`update members set email = 'export@example.com' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  const person = await createPortalClient(service, 'export@example.com');
  const time = now();
  const named = { recipient_name: '=1+1,"Ada"' };
  const [first, second] = await orderGifts(other, [
    { ...linkGift(1050), external_id: '@7', metadata: { team: 'sales' } },
    gift({ personalization: named }),
  ]);
  const { body: listed } = await person.call('GET', giftsPath(other));
  const { order_id } = listed.data[0];
  const header =
    '\ufeffGift,Order,Ordered at (UTC),Status,Amount (USD),Category,Category name,Method,Address,Recipient,Sender,Opened at (UTC),Claimed at (UTC),Why it failed,External id,Metadata (JSON),Scheduled for (UTC),State,Sent at (UTC),Delivered at (UTC),Failed at (UTC),Spent (USD),Last spent at (UTC),Declined at (UTC),Canceled at (UTC),Why it was canceled,Refunded (USD),Expires at (UTC),On hold since (UTC)\r\n';
  const untouched = `,sent,${time},,,0.00,,,,,0.00,,`;
  const link = `${first},${order_id},${time},sent,10.50,coffee,coffee,link,,,Test Organization,,,,'@7,"{""team"":""sales""}",${untouched}\r\n`;
  const email = `${second},${order_id},${time},sent,25.00,coffee,coffee,email,someone@example.com,"'=1+1,""Ada""",Test Organization,,,,,,${untouched}\r\n`;
  const rows = listed.data[0].gift_id === first ? link + email : email + link;
  const answer = await person.call('GET', giftsPath(other, '.csv'));
  // `fetch` takes the mark at the beginning for itself.
  assert.equal(`\ufeff${answer.body}`, header + rows);
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="gifts-sandbox.csv"');
  assert.equal(`\ufeff${(await person.call('GET', giftsPath(other, '.csv?method=link'))).body}`, header + link);
  assert.equal(`\ufeff${(await person.call('GET', giftsPath(other, '.csv?query=SALES'))).body}`, header + link);
  assert.equal(`\ufeff${(await person.call('GET', giftsPath(other, '.csv?query=zebra'))).body}`, header);
  assert.equal((await person.call('GET', giftsPath(other, '.csv?status=lost'))).status, 422);
});
