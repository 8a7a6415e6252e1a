import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath, orderGifts } from '../../harness/portal-gifts.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

interface Listed {
  gift_id: string;
  amount: number;
  claimed_at: string | null;
}

/** Ends also in the order of ids, which tells gifts of the same amount apart. */
const byKey = (keyOf: (gift: Listed) => number) => (a: Listed, b: Listed) =>
  keyOf(b) - keyOf(a) || (a.gift_id < b.gift_id ? 1 : -1);

const sorts = {
  largest: byKey(({ amount }) => amount),
  smallest: byKey(({ amount }) => -amount),
  claimed: byKey(({ claimed_at }) => Date.parse(claimed_at ?? '1970-01-01T00:00:00Z')),
};

test('a sorted list pages through each gift once, in both directions, while gifts are bought', async () => {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const amounts = [2000, 1000, 2000, 4000, 1000, 2000, 1400];
  await orderGifts(organization, [
    ...amounts.map((amount) => gift({ amount })),
    emailGift('claimed', 1800),
    emailGift('bounced', 1600),
  ]);
  await service.clock.jump(60_000);
  await orderGifts(organization, [emailGift('claimed', 1200)]);
  const list = async (query: string) => {
    const { status, body } = await admin.call('GET', giftsPath(organization, `?${query}`));
    assert.equal(status, 200, JSON.stringify(body));
    return body as { data: Listed[]; older: string | null; newer: string | null };
  };
  for (const [sort, compare] of Object.entries(sorts)) {
    const all: Listed[] = (await list('limit=100')).data;
    const expected = all.toSorted(compare).map(({ gift_id }) => gift_id);
    const seen: string[][] = [];
    let page = await list(`sort=${sort}&limit=3`);
    assert.equal(page.newer, null);
    for (;;) {
      seen.push(page.data.map(({ gift_id }) => gift_id));
      // It would be the first of the list, and move the others to a later page.
      await orderGifts(organization, [gift({ amount: sort === 'smallest' ? 1000 : 6000 })]);
      if (page.older === null) break;
      page = await list(`sort=${sort}&limit=3&after=${page.older}`);
    }
    assert.deepEqual(seen.flat(), expected, sort);
    for (const earlier of seen.slice(0, -1).toReversed()) {
      page = await list(`sort=${sort}&limit=3&before=${page.newer}`);
      assert.deepEqual(
        page.data.map(({ gift_id }) => gift_id),
        earlier,
        sort,
      );
    }
    assert.equal(page.newer, null);
  }
  const failed = await list('sort=largest&status=failed');
  assert.deepEqual(
    failed.data.map(({ amount }) => amount),
    [1600],
  );
  for (const cursor of ['x', failed.data[0]?.gift_id, `${failed.data[0]?.gift_id}.x`])
    assert.equal((await admin.call('GET', giftsPath(organization, `?sort=largest&after=${cursor}`))).status, 422);
});
