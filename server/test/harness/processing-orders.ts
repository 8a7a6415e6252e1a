import { type ApiClient, emailGift, gift, linkGift } from './api-client.ts';
import type { TestService } from './test-service.ts';

export interface Order {
  order_id: string;
  status: string;
  gifts: { gift_id: string }[];
}

/** Two that are made at once, and four from the one on whose address keeps the order processing. */
export const mixedGifts = [
  emailGift('opened', 1000),
  linkGift(2000),
  emailGift('processing', 3000),
  emailGift('claimed', 4000),
  gift({ amount: 5000, delivery: { method: 'phone', phone: '+12025550101' } }),
  linkGift(6000),
];

export const readOrder = async (client: ApiClient, orderId: string): Promise<Order> =>
  (await client.get(`/v1/orders/${orderId}`)).body;

/** A job that is due runs beside the test: read until it is done. */
export async function processed(client: ApiClient, orderId: string): Promise<Order> {
  for (let count = 0; count < 2_000; count += 1) {
    const order = await readOrder(client, orderId);
    if (order.status === 'processed') return order;
  }
  throw new Error(`${orderId} is still processing.`);
}

/** Those that complete orders. */
export async function jobsAreDone({ sql }: TestService): Promise<void> {
  for (let count = 0; count < 2_000; count += 1) {
    const [row] = await sql<{ waiting: number }>(
      `select count(*)::integer as waiting from pgboss.job
       where name = 'complete-order' and state in ('created', 'retry', 'active')`,
    );
    if (row?.waiting === 0) return;
  }
  throw new Error('Jobs are still waiting.');
}
