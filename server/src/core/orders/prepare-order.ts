import { hash } from 'node:crypto';
import { actorAddress, actorName } from '../../platform/base/actor.ts';
import { type Destination, destination, isImpossibleLiveAddress } from '../../platform/base/destination.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { ErrorCode } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { recipientHolder } from '../caps/recipient-holder.ts';
import type { Deps } from '../deps.ts';
import type { ColumnsWith } from '../gifts/gift/field.ts';
import type { giftFields } from '../gifts/gift/gift-fields.ts';
import { type References, referencesOf } from '../gifts/gift/present-references.ts';
import type { GiftState } from '../gifts/gift/queries.ts';
import type { GiftInputBody } from '../gifts/gift/schema.ts';
import { readSendTime } from '../gifts/place/send-time.ts';
import type { ApprovedBuyer, Buyer, MemberBuyer, PlacedBy } from './buyer.ts';
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
  /** Null unless a member orders, or approved an agent's order. */
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
  /** Whether a live gift that no issuer makes a card for is refused; absent if not. */
  needs_issuer?: true;
  created_at: Date;
  completes_at: Date | null;
  pending_gifts: GiftRecord[] | null;
  gifts: GiftRecord[];
  /** What goes to each address; null unless that may be capped. */
  recipients: RecipientRecord[] | null;
  /** Of an order of an agent or a member: the address of each gift, null for a link gift. */
  addresses: (string | null)[] | null;
  /** W3C `traceparent` of the request; undefined if tracing is off. */
  traceparent: string | undefined;
}

type PlacedColumns = ColumnsWith<typeof giftFields, 'placed'>;
/** Absent if the order does not say them. */
type Unsaid = 'language' | 'external_id' | 'metadata' | 'scheduled_for' | 'is_waiting';

/** A gift's row as JSON for PostgreSQL, when an order is placed or completed. */
export interface GiftRecord extends Omit<PlacedColumns, Unsaid>, Partial<Pick<PlacedColumns, Unsaid>> {
  /** Null: the organization's name. */
  sender_name: string | null;
}

/** What is wrong with a gift of an order, for the error. */
export interface InvalidGift {
  position: number;
  param: string;
  message: string;
}

/** How an order begins, if not like every other. */
export interface Beginning {
  /** Asked once nothing else speaks against the order; undefined places it. */
  refusal: (() => Promise<ErrorCode | undefined>) | undefined;
  /** The state in which the gift at this position begins. */
  stateOf(position: number, now: Date): GiftState & { card_id: string | null; isSpent: boolean };
  /** The first gift that is created later, with those after it. */
  firstLaterGift: number | undefined;
}

/** An order that waits for a statement. */
export interface OrderRequest {
  buyer: Buyer;
  idempotencyKey: string;
  /** Of the body, in hexadecimal. */
  fingerprint: string;
  body: OrderInputBody;
  beginning: Beginning | undefined;
  /** W3C `traceparent` of the request; undefined if tracing is off. */
  traceparent: string | undefined;
}

export interface PreparedOrder {
  record: OrderRecord;
  /** The first gift that breaks a rule. Some of the statement's errors come before it. */
  invalidGift: InvalidGift | undefined;
}

type Ids = Pick<Deps['ids'], 'next'>;
type PrepareDeps = Pick<Deps, 'config'> & { ids: Ids };

/**
 * Prepares an order's rows with new ids, so that one statement can place it. The ids have the time of the order, by which lists
 * filter.
 *
 * @param now the same for all orders of a statement, so that they are in one window of a cap
 */
export function prepareOrder(deps: PrepareDeps, request: OrderRequest, now: Date): PreparedOrder {
  const { buyer, idempotencyKey, fingerprint, beginning, traceparent } = request;
  const { gifts, ...references } = request.body;
  const { organizationId, environment, keyHash, address = '' } = buyer;
  const capCents = capOnRecipients(deps, buyer);
  const hasOwnLimits = buyer.isAgent === true || 'member' in buyer;
  const ids = { next: () => deps.ids.next(now.getTime()) };
  const orderId = ids.next();
  const placed = gifts.map(
    (gift, position): GiftToPlace => ({
      gift,
      position,
      target: destination(gift.delivery),
      sendAt: gift.send_at == null ? undefined : readSendTime(gift.send_at, now),
    }),
  );
  const invalidGift = findInvalidGift(deps, environment, placed);
  const ofGifts = { config: deps.config, ids };
  const records = placed.map((gift) => giftRecord(ofGifts, gift, beginning, now));
  const first = beginning?.firstLaterGift;
  return {
    invalidGift,
    record: {
      organization_id: organizationId,
      environment,
      key_hash: `\\x${keyHash?.toString('hex') ?? ''}`,
      client_address: address,
      placed_by: 'member' in buyer ? placedBy({ ids }, buyer, orderId) : null,
      key_lock: keyLock(buyer, idempotencyKey),
      idempotency_key: idempotencyKey,
      fingerprint: `\\x${fingerprint}`,
      order_id: orderId,
      entry_id: ids.next(),
      amount_cents: gifts.reduce((sum, { amount }) => sum + amount, 0),
      categories: gifts.map(({ category }) => category),
      may_be_placed: invalidGift === undefined && beginning?.refusal === undefined,
      created_at: now,
      completes_at: first === undefined ? null : new Date(now.getTime() + PROCESSING_MS),
      pending_gifts: first === undefined ? null : records.slice(first),
      gifts: records.slice(0, first),
      recipients: capCents !== null || hasOwnLimits ? recipientsOf(buyer, records, capCents) : null,
      addresses: hasOwnLimits ? records.map(({ address }) => address) : null,
      traceparent,
      ...references,
      ...(needsIssuer(deps, buyer) ? { needs_issuer: true } : {}),
    },
  };
}

/** Whether `placeUsualOrders` can place the order. */
export const isUsual = (deps: Pick<Deps, 'config'>, { buyer, beginning, body }: OrderRequest): boolean =>
  beginning === undefined &&
  !('member' in buyer) &&
  buyer.isAgent !== true &&
  capOnRecipients(deps, buyer) === null &&
  body.gifts.every(({ send_at }) => send_at == null);

/** The most cents that a recipient may be sent in a day, as configured; null if there is no such cap. */
function capOnRecipients({ config: { valuePerRecipientPerDay } }: Pick<Deps, 'config'>, { environment }: Scope) {
  return environment === 'live' && valuePerRecipientPerDay > 0 ? valuePerRecipientPerDay : null;
}

/** In production a live gift without an issuer could never be claimed. */
export const needsIssuer = ({ config }: Pick<Deps, 'config'>, { environment }: Pick<Scope, 'environment'>): boolean =>
  environment === 'live' && !config.allowsSimulatedLive;

interface GiftToPlace {
  gift: GiftInputBody;
  position: number;
  target: Destination;
  /** When the gift is sent, or the rule that the time breaks; undefined: at once. */
  sendAt: Date | string | undefined;
}

/** Returns the first gift that breaks a rule of its address or its time; the address comes first. */
function findInvalidGift(
  { config: { sandboxMailDomain } }: Pick<Deps, 'config'>,
  environment: Environment,
  gifts: readonly GiftToPlace[],
): InvalidGift | undefined {
  for (const { position, target, sendAt } of gifts) {
    const refuse = (field: string, rule: string): InvalidGift => {
      const param = `gifts[${position}].${field}`;
      return { position, param, message: `${param} ${rule}.` };
    };
    if (isImpossibleLiveAddress(environment, sandboxMailDomain, target))
      return refuse(
        'delivery.email',
        `must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist`,
      );
    if (sendAt !== undefined && target.method === 'link')
      return refuse('send_at', 'is for gifts that the service sends: you hand a link out yourself');
    if (typeof sendAt === 'string') return refuse('send_at', sendAt);
  }
  return undefined;
}

const placedBy = ({ ids }: { ids: Ids }, buyer: MemberBuyer | ApprovedBuyer, orderId: string): PlacedBy => ({
  member_id: buyer.member.memberId,
  event_id: ids.next(),
  name: actorName(buyer.member),
  address: actorAddress(buyer.member),
  target: encodeId('ord', orderId),
  claim_id: buyer.claimId,
  ...(buyer.keyHash === null && { sender_id: buyer.senderId ?? buyer.member.memberId, batch_id: buyer.batchId }),
});

/** What an order's gifts bring to one address, and the configuration's cap on a day. */
interface RecipientRecord {
  holder: string;
  cap_cents: number | null;
  amount_cents: number;
}

function recipientsOf(
  { organizationId }: Scope,
  gifts: readonly GiftRecord[],
  capCents: number | null,
): RecipientRecord[] {
  const sums = new Map<string, number>();
  for (const { address, amount_cents } of gifts)
    if (address !== null) sums.set(address.toLowerCase(), (sums.get(address.toLowerCase()) ?? 0) + amount_cents);
  return [...sums].map(([address, amountCents]) => ({
    holder: recipientHolder(organizationId, address),
    cap_cents: capCents,
    amount_cents: amountCents,
  }));
}

function giftRecord(
  { config, ids }: Pick<Deps, 'config'> & { ids: Ids },
  { gift, position, target, sendAt }: GiftToPlace,
  beginning: Beginning | undefined,
  now: Date,
): GiftRecord {
  const { amount, category, personalization, language, ...more } = gift;
  const sentLater = sendAt instanceof Date ? sendAt : undefined;
  // A gift that is sent later begins when it is sent.
  const state = sentLater === undefined ? beginning?.stateOf(position, now) : undefined;
  return {
    gift_id: ids.next(),
    position,
    delivery_id: target.method === 'link' ? null : ids.next(),
    amount_cents: amount,
    category_id: category,
    ...target,
    delivery_state: state?.delivery_state ?? (target.method === 'link' ? null : 'pending'),
    opened_at: state?.opened_at ?? null,
    claimed_at: state?.claimed_at ?? null,
    card_id: state?.card_id ?? null,
    spent_cents: state?.isSpent ? amount : 0,
    sender_name: personalization?.sender_name ?? null,
    recipient_name: personalization?.recipient_name ?? null,
    message: personalization?.message ?? null,
    ...(language === undefined ? {} : { language }),
    link_version: 1,
    link_expires_at: new Date((sentLater ?? now).getTime() + config.linkTtlMs),
    ...referencesOf(more),
    ...(sentLater === undefined ? {} : { scheduled_for: sentLater, is_waiting: true }),
  };
}

/** Returns the advisory lock of an idempotency key, a 64-bit number. */
function keyLock({ organizationId, environment }: Scope, idempotencyKey: string): string {
  const digits = hash('sha256', `${organizationId} ${environment} ${idempotencyKey}`);
  return BigInt.asIntN(64, BigInt(`0x${digits.slice(0, 16)}`)).toString();
}
