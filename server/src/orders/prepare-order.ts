import { hash } from 'node:crypto';
import type { Principal } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { type Destination, destination } from '../gifts/address.ts';
import { isImpossibleLiveAddress } from '../gifts/redirect-gift.ts';
import type { NewGiftBody } from '../gifts/schema.ts';
import { initialState } from '../sandbox/steered-state.ts';
import { type SteeringEffect, steer } from '../sandbox/steering.ts';
import { fingerprint } from './fingerprint.ts';
import type { GiftRecord } from './gift-record.ts';
import type { OrderRecord } from './order-record.ts';
import type { NewOrderBody } from './schema.ts';

const PROCESSING_MS = 20_000;

type SteeredFailure = 'insufficient_balance' | 'internal_error' | 'rate_limit_exceeded';

/** A refusal known before the statement runs. Some of the statement's errors come before it. */
export interface EarlyRefusal {
  impossibleAddressPosition: number | undefined;
  /** From the first address that steers the whole order to a failure. */
  steeredFailure: SteeredFailure | undefined;
}

export interface PreparedOrder {
  record: OrderRecord;
  refusal: EarlyRefusal;
  effects: (SteeringEffect | undefined)[];
}

type PrepareDeps = Pick<Deps, 'clock' | 'config' | 'ids' | 'tracer'>;

/**
 * Prepares an order's rows, so that one statement can place it.
 *
 * @param hasTriedBefore whether this is a retry; some addresses steer only the first try
 */
export function prepareOrder(
  deps: PrepareDeps,
  principal: Principal,
  idempotencyKey: string,
  { gifts }: NewOrderBody,
  hasTriedBefore = false,
): PreparedOrder {
  const { organizationId, environment } = principal;
  const { sandboxMailDomain } = deps.config;
  const now = new Date(deps.clock.now());
  const orderId = deps.ids.next();
  const targets = gifts.map(({ delivery }) => destination(delivery));
  const effects = targets.map((target) => steer(environment, sandboxMailDomain, target));
  const impossibleAddressPosition = targets.findIndex((target) =>
    isImpossibleLiveAddress(principal, sandboxMailDomain, target),
  );
  const refusal: EarlyRefusal = {
    impossibleAddressPosition: impossibleAddressPosition === -1 ? undefined : impossibleAddressPosition,
    steeredFailure: effects.filter(isFailure).find((effect) => effect !== 'rate_limit_exceeded' || !hasTriedBefore),
  };
  const records = gifts.map((gift, position) =>
    giftRecord(deps, principal, gift, {
      position,
      now,
      target: targets[position] ?? destination(gift.delivery),
      effect: effects[position],
    }),
  );
  const firstPending = effects.indexOf('processing');
  return {
    refusal,
    effects,
    record: {
      organization_id: organizationId,
      environment,
      key_lock: keyLock(principal, idempotencyKey),
      idempotency_key: idempotencyKey,
      fingerprint: `\\x${fingerprint({ gifts })}`,
      order_id: orderId,
      last_gift_id: records.at(-1)?.gift_id ?? orderId,
      entry_id: deps.ids.next(),
      key_id: principal.keyId,
      organization_name: principal.organizationName,
      amount_cents: gifts.reduce((sum, { amount }) => sum + amount, 0),
      categories: gifts.map(({ category }) => category),
      may_be_placed: refusal.impossibleAddressPosition === undefined && refusal.steeredFailure === undefined,
      created_at: now,
      completes_at: firstPending === -1 ? null : new Date(now.getTime() + PROCESSING_MS),
      pending_gifts: firstPending === -1 ? null : records.slice(firstPending),
      gifts: firstPending === -1 ? records : records.slice(0, firstPending),
      traceparent: deps.tracer?.current(),
    },
  };
}

const isFailure = (effect: SteeringEffect | undefined): effect is SteeredFailure =>
  effect === 'insufficient_balance' || effect === 'internal_error' || effect === 'rate_limit_exceeded';

function giftRecord(
  { config, ids }: Pick<Deps, 'config' | 'ids'>,
  { organizationName }: Principal,
  { amount, category, personalization }: NewGiftBody,
  at: { position: number; now: Date; target: Destination; effect: SteeringEffect | undefined },
): GiftRecord {
  const { position, now, target, effect } = at;
  const { isSpent, ...state } = initialState(ids, now, target, effect);
  return {
    gift_id: ids.next(),
    position,
    delivery_id: target.method === 'link' ? null : ids.next(),
    amount_cents: amount,
    category_id: category,
    ...target,
    ...state,
    sender_name: personalization?.sender_name ?? organizationName,
    recipient_name: personalization?.recipient_name ?? null,
    link_version: 1,
    link_expires_at: new Date(now.getTime() + config.linkTtlMs),
    spent_cents: isSpent ? amount : 0,
  };
}

/** Returns the advisory lock of an idempotency key, a 64-bit number. */
function keyLock({ organizationId, environment }: Principal, idempotencyKey: string): string {
  const digits = hash('sha256', `${organizationId} ${environment} ${idempotencyKey}`);
  return BigInt.asIntN(64, BigInt(`0x${digits.slice(0, 16)}`)).toString();
}
