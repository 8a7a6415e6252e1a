import type { Deps } from '../../core/deps.ts';
import { type MemberBuyer, memberBuyer } from '../../core/orders/buyer.ts';
import { placeOrder } from '../../core/orders/place-order.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import { steerOrder } from '../../core/sandbox/steer-order.ts';
import type { KeyCaller } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Agenda } from './agenda.ts';

/** What the month's acts need. Its clock, ids and database are the month's. */
export type MonthDeps = Pick<
  Deps,
  | 'clock'
  | 'config'
  | 'database'
  | 'ids'
  | 'issuers'
  | 'links'
  | 'log'
  | 'meter'
  | 'publicUrl'
  | 'screening'
  | 'cipher'
  | 'tracer'
>;

export type MemberActor = MemberBuyer['member'];

/** A month of an organization while it is made. */
export interface Month {
  deps: MonthDeps;
  agenda: Agenda;
  /** UUID. */
  organizationId: string;
  organizationName: string;
  admin: MemberActor;
  member: MemberActor;
  /** The program that orders most gifts. */
  programs: Record<Environment, KeyCaller>;
  /** The latest message of each gift that was sent, by their UUIDs. */
  deliveries: Map<string, string>;
  orders: Record<Environment, number>;
  gifts: Record<Environment, number>;
}

export interface OrderedGift {
  scope: Scope;
  /** UUID. */
  giftId: string;
  method: string;
  /** Of all gifts of the environment, from 0. */
  number: number;
}

export const environments = ['live', 'sandbox'] as const satisfies readonly Environment[];

export const scopeOf = ({ organizationId }: Pick<Month, 'organizationId'>, environment: Environment): Scope => ({
  organizationId,
  environment,
});

/** Places an order as a program does with its key, or as the admin does in the portal. */
export async function order(
  month: Month,
  environment: Environment,
  body: OrderInputBody,
  by: 'program' | 'admin' = 'program',
): Promise<{ orderId: string; gifts: OrderedGift[] }> {
  const scope = scopeOf(month, environment);
  const buyer = by === 'program' ? { ...month.programs[environment] } : memberBuyer(scope, month.admin);
  const key = `demo-${month.orders[environment]}`;
  const steering = steerOrder(month.deps, scope, key, body.gifts);
  const placed = await placeOrder(month.deps, buyer, key, body, steering);
  month.orders[environment] += 1;
  const gifts = placed.order.gifts.map(({ gift_id, delivery: { method } }) => {
    const giftId = decodeId('gift', gift_id) ?? '';
    const number = month.gifts[environment];
    month.gifts[environment] += 1;
    return { scope, giftId, method, number };
  });
  return { orderId: placed.order.order_id, gifts };
}
