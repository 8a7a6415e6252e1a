import { type ApiClient, emailGift, gift, linkGift } from './api-client.ts';
import { workUntil } from './mail-server.ts';
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

/** Advances the clock until the order is processed. */
export async function processed(service: TestService, client: ApiClient, orderId: string): Promise<Order> {
  let order = await readOrder(client, orderId);
  await workUntil(
    service,
    async () => {
      order = await readOrder(client, orderId);
      return order.status === 'processed';
    },
    `${orderId} is processed`,
  );
  return order;
}

/** Advances the clock until no completion job is left. */
export async function jobsAreDone(service: TestService): Promise<void> {
  const waiting = `select from pgboss.job where name = 'complete-order' and state in ('created', 'retry', 'active')`;
  await workUntil(service, async () => (await service.sql(waiting)).length === 0, 'no job is left');
}
