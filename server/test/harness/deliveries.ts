import { decodeId } from '../../src/platform/base/ids.ts';
import type { TestService } from './test-service.ts';

export interface DeliveryRow {
  address: string;
  state: string;
  tries: number;
  reason: string | null;
  provider: string | null;
  provider_id: string | null;
}

/** The messages about a gift, the first one first. */
export function deliveriesOf(service: TestService, giftId: string): Promise<DeliveryRow[]> {
  return service.sql<DeliveryRow>(
    `select address, state, tries, reason, provider, provider_id from deliveries where gift_id = $1 order by delivery_id`,
    [decodeId('gift', giftId)],
  );
}

/** How many live messages wait to be sent. */
export async function countPending(service: TestService): Promise<number> {
  const [row] = await service.sql<{ count: string }>(
    `select count(*) from deliveries where environment = 'live' and state = 'pending'`,
  );
  return Number(row?.count);
}
