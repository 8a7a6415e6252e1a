import { type ApiClient, emailGift, gift, linkGift } from './api-client.ts';
import { until } from './server-process.ts';
import type { TestService } from './test-service.ts';

export interface Order {
  order_id: string;
  status: string;
  gifts: { gift_id: string }[];
}

/** Two gifts are created at once; the other four begin with the `processing` address. */
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

/** Reads the order until it is processed. */
export async function processed(client: ApiClient, orderId: string): Promise<Order> {
  let order = await readOrder(client, orderId);
  await until(async () => {
    order = await readOrder(client, orderId);
    return order.status === 'processed';
  }, `${orderId} is processed`);
  return order;
}

/** Waits until no completion job is left. */
export async function jobsAreDone({ sql }: TestService): Promise<void> {
  const waiting = `select from pgboss.job where name = 'complete-order' and state in ('created', 'retry', 'active')`;
  await until(async () => (await sql(waiting)).length === 0, 'no job waits');
}
