import { hash } from 'node:crypto';
import { actorAddress, actorName } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import { recipientHolder } from '../caps/recipient-holder.ts';
import type { Deps } from '../deps.ts';
import { type Destination, destination } from '../gifts/address.ts';
import { type References, referencesOf } from '../gifts/present-references.ts';
import type { GiftInputBody } from '../gifts/schema.ts';
import { initialState, type SteeringEffect, steer } from '../sandbox/steering.ts';
import type { Buyer, MemberBuyer, PlacedBy } from './buyer.ts';
import { findInvalidGift, type InvalidGift, sendTimeOf } from './invalid-gift.ts';
import type { OrderInputBody } from './schema.ts';

const PROCESSING_MS = 20_000;

/** An order ready to write: the statement only decides and writes. */
export interface OrderRecord extends References {
  organization_id: string;
  environment: Environment;
  /** SHA-256 of the API key, in PostgreSQL's format `\x…`; without digits if a member orders. */
  key_hash: string;
  /** Empty if unknown. */
  client_address: string;
  /** Null if an API key orders. */
  placed_by: PlacedBy | null;
  /** Advisory lock of organization, environment and idempotency key: a signed 64-bit number as text. */
  key_lock: string;
  idempotency_key: string;
  /** SHA-256 of the body in PostgreSQL's format. */
  fingerprint: string;
  order_id: string;
  /** The greatest id of the order: the balance keeps it, and later ids must exceed it. */
  entry_id: string;
  amount_cents: number;
  categories: string[];
  /** False if a reason to refuse is known already; the statement then only looks for errors that come before it. */
  may_be_placed: boolean;
  created_at: Date;
  completes_at: Date | null;
  pending_gifts: GiftRecord[] | null;
  gifts: GiftRecord[];
  /** What goes to each address; null unless that is capped. */
  recipients: RecipientRecord[] | null;
  /** W3C `traceparent` of the request; undefined if tracing is off. */
  traceparent: string | undefined;
  /** Whether any gift is sent later; absent in other orders. */
  is_scheduled?: true;
}

/** A gift's row as JSON for PostgreSQL, when an order is placed or completed. */
interface GiftRecord extends References {
  gift_id: string;
  position: number;
  delivery_id: string | null;
  amount_cents: number;
  category_id: string;
  method: 'email' | 'phone' | 'link';
  address: string | null;
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  recipient_name: string | null;
  /** Null: the organization's name. */
  sender_name: string | null;
  message: string | null;
  /** Absent: the sender has no wish. */
  language?: string | null;
  link_version: number;
  link_expires_at: Date;
  opened_at: Date | null;
  claimed_at: Date | null;
  card_id: string | null;
  spent_cents: number;
  /** Both absent if the gift is sent at once. */
  scheduled_for?: Date | null;
  is_waiting?: boolean | null;
}

type SteeredFailure = 'insufficient_balance' | 'internal_error' | 'rate_limit_exceeded';

/** A refusal known before the statement runs. Some of the statement's errors come before it. */
export interface EarlyRefusal {
  invalidGift: InvalidGift | undefined;
  /** From the first address that steers the whole order to a failure. */
  steeredFailure: SteeredFailure | undefined;
}

export interface PreparedOrder {
  record: OrderRecord;
  refusal: EarlyRefusal;
  effects: (SteeringEffect | undefined)[];
}

type PrepareDeps = Pick<Deps, 'config' | 'ids'>;

interface OrderRequest {
  idempotencyKey: string;
  /** Of the body, in hexadecimal. */
  fingerprint: string;
  body: OrderInputBody;
  /** Whether this is a retry; some addresses steer only the first try. */
  hasTriedBefore: boolean;
  /** W3C `traceparent` of the request; undefined if tracing is off. */
  traceparent: string | undefined;
  /** The same for all orders of a statement, so that they are in one window of a cap. */
  now: Date;
}

/** Prepares an order's rows with new ids, so that one statement can place it. */
export function prepareOrder(
  deps: PrepareDeps,
  buyer: Buyer,
  { idempotencyKey, fingerprint, body: { gifts, ...references }, hasTriedBefore, traceparent, now }: OrderRequest,
): PreparedOrder {
  const { organizationId, environment, keyHash, address = '' } = buyer;
  const { sandboxMailDomain, valuePerRecipientPerDay } = deps.config;
  const orderId = deps.ids.next();
  const targets = gifts.map(({ delivery }) => destination(delivery));
  const effects = targets.map((target) => steer(environment, sandboxMailDomain, target));
  const sendTimes = gifts.map(({ send_at }) => sendTimeOf(send_at, now));
  const refusal: EarlyRefusal = {
    invalidGift: findInvalidGift(
      targets.map((target, n) => ({ environment, mailDomain: sandboxMailDomain, target, sendAt: sendTimes[n] })),
    ),
    steeredFailure: effects.filter(isFailure).find((effect) => effect !== 'rate_limit_exceeded' || !hasTriedBefore),
  };
  const records = gifts.map((gift, position) =>
    giftRecord(deps, gift, {
      position,
      now,
      target: targets[position] ?? destination(gift.delivery),
      effect: effects[position],
      sendAt: sendTimes[position],
    }),
  );
  const firstPending = effects.indexOf('processing');
  return {
    refusal,
    effects,
    record: {
      organization_id: organizationId,
      environment,
      key_hash: `\\x${keyHash?.toString('hex') ?? ''}`,
      client_address: address,
      placed_by: buyer.keyHash === null ? placedBy(deps, buyer, orderId) : null,
      key_lock: keyLock(buyer, idempotencyKey),
      idempotency_key: idempotencyKey,
      fingerprint: `\\x${fingerprint}`,
      order_id: orderId,
      entry_id: deps.ids.next(),
      amount_cents: gifts.reduce((sum, { amount }) => sum + amount, 0),
      categories: gifts.map(({ category }) => category),
      may_be_placed: refusal.invalidGift === undefined && refusal.steeredFailure === undefined,
      created_at: now,
      completes_at: firstPending === -1 ? null : new Date(now.getTime() + PROCESSING_MS),
      pending_gifts: firstPending === -1 ? null : records.slice(firstPending),
      gifts: firstPending === -1 ? records : records.slice(0, firstPending),
      recipients:
        environment === 'live' && valuePerRecipientPerDay > 0
          ? recipientsOf(buyer, records, valuePerRecipientPerDay)
          : null,
      traceparent,
      ...references,
      ...(records.some(({ is_waiting }) => is_waiting) ? { is_scheduled: true } : {}),
    },
  };
}

const placedBy = ({ ids }: PrepareDeps, { member }: MemberBuyer, orderId: string): PlacedBy => ({
  member_id: member.memberId,
  event_id: ids.next(),
  name: actorName(member),
  address: actorAddress(member),
  target: encodeId('ord', orderId),
});

/** What an order's gifts bring to one address, and the cap on a day. */
interface RecipientRecord {
  holder: string;
  cap_cents: number;
  amount_cents: number;
}

function recipientsOf({ organizationId }: Scope, gifts: readonly GiftRecord[], capCents: number): RecipientRecord[] {
  const sums = new Map<string, number>();
  for (const { address, amount_cents } of gifts)
    if (address !== null) sums.set(address.toLowerCase(), (sums.get(address.toLowerCase()) ?? 0) + amount_cents);
  return [...sums].map(([address, amountCents]) => ({
    holder: recipientHolder(organizationId, address),
    cap_cents: capCents,
    amount_cents: amountCents,
  }));
}

const isFailure = (effect: SteeringEffect | undefined): effect is SteeredFailure =>
  effect === 'insufficient_balance' || effect === 'internal_error' || effect === 'rate_limit_exceeded';

function giftRecord(
  { config, ids }: Pick<Deps, 'config' | 'ids'>,
  { amount, category, personalization, language, ...more }: GiftInputBody,
  at: {
    position: number;
    now: Date;
    target: Destination;
    effect: SteeringEffect | undefined;
    sendAt: Date | string | undefined;
  },
): GiftRecord {
  const { position, now, target, effect } = at;
  const sendAt = at.sendAt instanceof Date ? at.sendAt : undefined;
  // The address steers a scheduled gift when it is sent.
  const { isSpent, ...state } = initialState(ids, now, target, sendAt === undefined ? effect : undefined);
  return {
    gift_id: ids.next(),
    position,
    delivery_id: target.method === 'link' ? null : ids.next(),
    amount_cents: amount,
    category_id: category,
    ...target,
    ...state,
    sender_name: personalization?.sender_name ?? null,
    recipient_name: personalization?.recipient_name ?? null,
    message: personalization?.message ?? null,
    ...(language === undefined ? {} : { language }),
    link_version: 1,
    link_expires_at: new Date((sendAt ?? now).getTime() + config.linkTtlMs),
    spent_cents: isSpent ? amount : 0,
    ...referencesOf(more),
    ...(sendAt === undefined ? {} : { scheduled_for: sendAt, is_waiting: true }),
  };
}

/** Returns the advisory lock of an idempotency key, a 64-bit number. */
function keyLock({ organizationId, environment }: Scope, idempotencyKey: string): string {
  const digits = hash('sha256', `${organizationId} ${environment} ${idempotencyKey}`);
  return BigInt.asIntN(64, BigInt(`0x${digits.slice(0, 16)}`)).toString();
}
