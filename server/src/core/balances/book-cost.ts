import type { PoolClient } from 'pg';
import { insertCost } from './queries.ts';

interface PaymentCost {
  /** UUID. */
  organizationId: string;
  /** The provider's id, under which a cost is booked once. */
  transactionId: string;
  /** UUID. */
  topupId: string;
  feeCents: number;
  at: Date;
}

/** Books what a payment provider keeps of a top-up: a fee of the service, not of the organization. */
export async function bookCost(
  client: PoolClient,
  { organizationId, transactionId, topupId, feeCents, at }: PaymentCost,
): Promise<void> {
  await insertCost(client, [organizationId, transactionId, topupId, feeCents, at]);
}
