import { balanceOf } from '../../../server/test/harness/ledger.ts';
import type { TestService } from '../../../server/test/harness/test-service.ts';
import { type Ground, PLACED_BODY } from './place.ts';

interface ShownOrder {
  order_id: string;
  gifts: { gift_id: string; amount: number }[];
}

/** An organization that requests are made for, with the account of what it was told. */
export interface KeptGround {
  ground: Ground;
  /** The organization's. */
  name: string;
  /** What each 201 said, by the order's id. */
  placed: ReadonlyMap<string, ShownOrder>;
  record(order: ShownOrder): void;
  /** What is otherwise than the answers said: orders, gifts, the balance. */
  changes(): Promise<string[]>;
}

const START_CENTS = 10_000_000_000;

export async function createGround(service: TestService): Promise<KeptGround> {
  const organization = await service.organization({ sandbox: START_CENTS, live: 0 });
  const { sandbox } = organization;
  const placed = new Map<string, ShownOrder>();
  const order = async (body: Uint8Array<ArrayBuffer> | object, key: string): Promise<ShownOrder> => {
    const answer = await sandbox.post('/v1/orders', body, { 'Idempotency-Key': key });
    if (answer.status !== 201) throw new Error(`The ground could not be laid: ${answer.status}`);
    placed.set(answer.body.order_id, answer.body);
    return answer.body;
  };
  // No text of the table is a key of these.
  const amounts = { amount: 1000, category: 'coffee' };
  await order(new Uint8Array(PLACED_BODY), 'ground-placed');
  const claimed = await order(
    { gifts: [{ ...amounts, delivery: { method: 'email', email: 'claimed@example.com' } }] },
    'ground-claimed',
  );
  const link = await order({ gifts: [{ ...amounts, delivery: { method: 'link' } }] }, 'ground-link');
  const [claimedGift = '', linkGift = ''] = [claimed, link].map(({ gifts }) => gifts[0]?.gift_id ?? '');
  placed.set(claimed.order_id, {
    ...claimed,
    gifts: [(await sandbox.post(`/v1/sandbox/gifts/${claimedGift}/claim`)).body],
  });
  const ground: Ground = { key: organization.keys.sandbox, claimedGift, linkGift, placedKey: 'ground-placed' };

  async function* all(list: 'orders' | 'gifts') {
    for (let cursor = ''; ; ) {
      const { body } = await sandbox.get(`/v1/${list}?limit=100${cursor}`);
      yield* body.data;
      if (!body.has_more) return;
      cursor = `&starting_after=${body.data.at(-1)[list === 'orders' ? 'order_id' : 'gift_id']}`;
    }
  }

  return {
    ground,
    name: 'Test Organization',
    placed,
    record: (shown) => placed.set(shown.order_id, shown),
    async changes() {
      const findings: string[] = [];
      const listed: ShownOrder[] = [];
      for await (const one of all('orders')) listed.push(one);
      if (listed.length !== placed.size)
        findings.push(`${listed.length} orders, where ${placed.size} were acknowledged`);
      for (const one of listed)
        if (JSON.stringify(one) !== JSON.stringify(placed.get(one.order_id)))
          findings.push(`order ${one.order_id} is listed otherwise than it was answered: ${JSON.stringify(one)}`);
      const gifts = new Map(listed.flatMap((one) => one.gifts.map((gift) => [gift.gift_id, JSON.stringify(gift)])));
      for await (const gift of all('gifts')) {
        if (gifts.get(gift.gift_id) !== JSON.stringify(gift)) findings.push(`gift ${gift.gift_id} is listed otherwise`);
        gifts.delete(gift.gift_id);
      }
      if (gifts.size > 0) findings.push(`${gifts.size} gifts are not listed`);
      const spent = listed.flatMap((one) => one.gifts).reduce((sum, { amount }) => sum + amount, 0);
      const balance = await balanceOf(service, organization, 'sandbox');
      if (balance !== START_CENTS - spent) findings.push(`a balance of ${balance} after ${spent} cents of gifts`);
      return findings;
    },
  };
}
