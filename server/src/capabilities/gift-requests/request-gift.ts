import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import type { MemberBuyer } from '../../core/orders/buyer.ts';
import { portalOrderKey } from '../../core/orders/portal-order-key.ts';
import { type OrderSize, requirePossible, sizeOf } from '../../core/orders/require-possible.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import { previewGift } from '../../faces/redemption/preview-gift.ts';
import { destination, isImpossibleLiveAddress } from '../../platform/base/destination.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { askForBatch } from '../gift-batches/ask-for-batch.ts';
import type { SeenDraft } from '../gift-batches/require-draft.ts';
import { recordEvent } from './actions.ts';
import { selectDeciders } from './approval-queries.ts';
import { insertRequest, selectOpenOfBatch, selectRequestOfForm } from './queries.ts';

/** Of one member, so that they cannot fill the admins' list and mailboxes. */
const MOST_OPEN = 100;
/** Of one member whose rules ask: every contact may have its day in one week. */
const MOST_YEARLY = 50_000;

type RequestDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'publicUrl' | 'tracer'>;

interface Asker {
  /** The same form asks once. */
  formId: string;
  actor: MemberBuyer['member'];
  organizationName: string;
  /** Idempotency key of the yearly gift that a rule asks for. One mail tells of all its gifts of a day, so each has no mail. */
  yearlyKey?: string;
}

/** What is stored of a request. */
interface Asked {
  /** Idempotency key of its order; undefined: the request's id. */
  orderKey?: string;
  amountCents: number;
  /** Of its order, or of the largest of a batch. */
  size: OrderSize;
  /** Of one gift. */
  category?: string;
  body: GiftInputBody | OrderInputBody | undefined;
  address: string | null;
  batchId?: string;
  /** Of a batch. */
  acceptsDuplicates?: boolean;
  /** How many gifts, if it is not one. */
  gifts?: number;
}

/**
 * Asks for a gift, and emails those who decide. No money moves. The same form asks once.
 *
 * @returns the request's UUID
 * @throws BestowError `parameter_invalid`; `refused` if too many requests of the member are open; as `requirePossible`
 */
export async function requestGift(
  deps: RequestDeps,
  scope: Scope,
  { gift, ...asker }: Asker & { gift: GiftInputBody },
): Promise<string> {
  await requireValid(deps, scope, asker.organizationName, gift);
  return inOrganization(deps.database, scope.organizationId, (client) =>
    ask(client, deps, scope, asker, oneGift(gift)),
  );
}

const oneGift = (gift: GiftInputBody): Asked => ({
  amountCents: gift.amount,
  size: sizeOf([gift]),
  category: gift.category,
  body: gift,
  address: destination(gift.delivery).address,
});

/**
 * Asks for an order that a rule holds back, with the idempotency key that it has as an order of the portal: it is bought once,
 * also if the rule ends and the form is sent again. Else as `requestGift`.
 */
export async function requestOrder(
  deps: RequestDeps,
  scope: Scope,
  { gifts, ...asker }: Asker & { gifts: GiftInputBody[] },
): Promise<string> {
  for (const [n, gift] of gifts.entries())
    await requireValid(deps, scope, asker.organizationName, gift).catch((error: unknown) => {
      if (!(error instanceof BestowError) || error.param === undefined) throw error;
      const { code, param, message } = error;
      throw new BestowError(code, { param: `gifts[${n}].${param}`, message: `gifts[${n}].${message}` });
    });
  const [only] = gifts.length === 1 ? gifts : [];
  const asked = {
    ...(only === undefined
      ? {
          amountCents: gifts.reduce((sum, { amount }) => sum + amount, 0),
          size: sizeOf(gifts),
          body: { gifts },
          address: null,
          gifts: gifts.length,
        }
      : oneGift(only)),
    orderKey: portalOrderKey(asker.formId),
  };
  return inOrganization(deps.database, scope.organizationId, (client) => ask(client, deps, scope, asker, asked));
}

/**
 * Asks for a batch that a rule holds back. Its draft changes no more.
 *
 * @returns the request's UUID
 * @throws BestowError as `askForBatch`, and `refused` if too many requests of the member are open
 */
export const requestBatch = (
  deps: RequestDeps,
  scope: Scope,
  { batchId, seen, ...asker }: Asker & { batchId: string; seen: SeenDraft },
): Promise<string> =>
  inOrganization(deps.database, scope.organizationId, async (client) => {
    const one = [scope.organizationId, scope.environment, batchId] as const;
    const { gifts, largestCents } = await askForBatch(client, deps, [...one], seen);
    // The batch is locked. It waits once, also if it is asked for from two tabs.
    const [waiting] = await selectOpenOfBatch(client, [...one]);
    if (waiting !== undefined && waiting.member_id !== asker.actor.memberId)
      throw new BestowError('refused', { message: 'Another member has asked for these gifts.' });
    if (waiting !== undefined) return waiting.request_id;
    const size = { orderCents: largestCents, recipientCents: largestCents };
    const asked = { ...seen, size, body: undefined, address: null, batchId, gifts };
    return ask(client, deps, scope, asker, asked);
  });

async function ask(
  client: PoolClient,
  deps: RequestDeps,
  { organizationId, environment }: Scope,
  { formId, actor, organizationName, yearlyKey }: Asker,
  { orderKey, amountCents, category, body, address, batchId, acceptsDuplicates, gifts, size }: Asked,
): Promise<string> {
  await requirePossible(client, deps, { organizationId, environment }, actor.memberId, size);
  const owner = [organizationId, environment] as const;
  const requestId = deps.ids.next();
  const target = encodeId('ask', requestId);
  const [created] = await insertRequest(client, [
    ...owner,
    requestId,
    formId,
    orderKey ?? yearlyKey ?? target,
    actor.memberId,
    amountCents,
    category ?? null,
    body === undefined ? null : JSON.stringify(body),
    address,
    new Date(deps.clock.now()),
    yearlyKey === undefined ? MOST_OPEN : MOST_YEARLY,
    batchId ?? null,
    acceptsDuplicates ?? null,
  ]);
  if (created === undefined) {
    const [earlier] = await selectRequestOfForm(client, [...owner, formId, actor.memberId]);
    if (earlier !== undefined) return earlier.request_id;
    const message = `${MOST_OPEN} of your requests are open. Wait for an admin, or withdraw some.`;
    throw new BestowError('refused', { message });
  }
  const details = { amount_cents: amountCents };
  const event = { organizationId, environment, target, action: 'gift_request.created', details } as const;
  await recordEvent(client, deps, actor, event);
  if (yearlyKey !== undefined) return requestId;
  await queueNotices(client, deps, {
    organizationId,
    recipients: (await selectDeciders(client, [...owner, requestId])).map(({ email }) => email),
    notice: {
      kind: 'gift_requested',
      details: {
        organization_name: organizationName,
        organization_id: encodeId('org', organizationId),
        environment,
        request_id: target,
        amount_cents: amountCents,
        by: actor.email,
        ...(gifts === undefined ? {} : { gifts }),
      },
    },
  });
  return requestId;
}

/** The checks that need the catalog and the clock; the schema has made the others. */
async function requireValid(deps: RequestDeps, scope: Scope, organizationName: string, gift: GiftInputBody) {
  const { delivery, personalization, ...fields } = gift;
  const { sandboxMailDomain } = deps.config;
  if (isImpossibleLiveAddress(scope.environment, sandboxMailDomain, destination(delivery)))
    throw new BestowError('parameter_invalid', {
      param: 'email',
      message: `email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`,
    });
  const draft = { method: delivery.method, ...fields, ...personalization };
  await previewGift(deps, scope, organizationName, draft);
}
