import type { PoolClient } from 'pg';
import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import type { Deps } from '../../core/deps.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import { type MemberBuyer, memberBuyer } from '../../core/orders/buyer.ts';
import { type PlaceDeps, placeOrder } from '../../core/orders/place-order.ts';
import { steerOrder } from '../../core/sandbox/steer-order.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { idBefore } from '../../platform/base/id-time.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OutcomeUnknown } from '../../platform/base/outcome-unknown.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { startBatch } from '../gift-batches/start-batch.ts';
import { recordEvent } from './actions.ts';
import { addApproval, requireDecider } from './add-approval.ts';
import { announceEnded } from './announce-ended.ts';
import { approvedBodyOf } from './order-body.ts';
import * as queries from './queries.ts';

/** A server places an order within 15 seconds or gives up; then another approval takes over, and a decline is possible. */
const CLAIM_MS = 60_000;

interface Decision {
  /** UUID. */
  requestId: string;
  actor: MemberBuyer['member'];
  organizationName: string;
}

/** An approval that claimed a request earlier than this id was made submits no order any more. */
export const claimedBefore = ({ clock }: Pick<Deps, 'clock'>): string => idBefore(new Date(clock.now() - CLAIM_MS));

/**
 * Approves a request. With the last approval that it needs: claims it, places its order under the request's own idempotency
 * key or starts its batch, and notes that. From the claim on a decline is refused. A refused order opens the request again.
 * After a crash or an unknown outcome the claim stays, and the next approval finds the order or places it. Approving an
 * approved request changes nothing.
 *
 * @throws BestowError those of `placeOrder`; `resource_missing`; `resource_locked` while another approval is under way;
 *   `refused` if the request was decided otherwise, or a rule leaves it to others
 * @throws QueueFull, OutcomeUnknown
 */
export async function approveRequest(deps: PlaceDeps, scope: Scope, decision: Decision): Promise<void> {
  const { requestId, actor } = decision;
  const one: queries.OneRequest = [scope.organizationId, scope.environment, requestId];
  if (!(await addApproval(deps, scope, decision))) return;
  const claimId = deps.ids.next();
  const claim = [...one, claimId, actor.memberId, claimedBefore(deps), new Date(deps.clock.now())] as const;
  const [claimed] = await queries.claimRequest(deps.database.pool, [...claim]);
  if (claimed === undefined) return requireState(deps, one, 'approved', { memberId: actor.memberId, isOwn: false });
  const orderId = claimed.order_id ?? (await place(deps, scope, decision, claimed, claimId)) ?? null;
  await inOrganization(deps.database, scope.organizationId, async (client) => {
    const [noted] = await queries.noteOrder(client, [...one, orderId, new Date(deps.clock.now())]);
    if (noted !== undefined) await announce(client, deps, scope, decision, { state: 'approved', ...noted });
  });
}

/** Places the order, or starts the batch; opens the request again if that was refused. Returns the order's UUID. */
async function place(
  deps: PlaceDeps,
  scope: Scope,
  decision: Decision,
  claimed: queries.ClaimedRow,
  claimId: string,
): Promise<string | undefined> {
  const { requestId, actor } = decision;
  const { gift, order_key: key, token_hash: keyHash, member_id: senderId } = claimed;
  const grant = { ...scope, isAgent: true, member: actor, claimId } as const;
  const buyer =
    keyHash === null ? memberBuyer(scope, actor, { senderId: senderId ?? undefined, claimId }) : { ...grant, keyHash };
  try {
    if (claimed.has_expired) throw new BestowError('api_key_revoked');
    if (gift === null) return await start(deps, scope, decision, claimed);
    const body = approvedBodyOf(gift, new Date(deps.clock.now()));
    const steering = steerOrder(deps, scope, key, body.gifts);
    const { order } = await placeOrder(deps, buyer, key, body, steering);
    return decodeId('ord', order.order_id) ?? '';
  } catch (error) {
    // Every other error says that this call placed nothing.
    if (!(error instanceof OutcomeUnknown))
      await inOrganization(deps.database, scope.organizationId, async (client) => {
        await waitForOrders(client, scope);
        await queries.reopenRequest(client, [scope.organizationId, scope.environment, requestId, claimId]);
      });
    throw isOfEndedGrant(error) ? new BestowError('refused', { message: GRANT_ENDED }) : error;
  }
}

/** Starts the batch of the member who asked. */
async function start(
  deps: PlaceDeps,
  scope: Scope,
  { actor: { address } }: Decision,
  {
    batch_id: batchId,
    amount_cents: amountCents,
    member_id: memberId,
    member_email: email,
    accepts_duplicates,
  }: queries.ClaimedRow,
): Promise<undefined> {
  if (batchId === null || memberId === null || email === null) throw new Error('A request of a batch has a member.');
  const actor = { kind: 'member', memberId, email, address } as const;
  await startBatch(deps, scope, {
    batchId,
    actor,
    amountCents,
    acceptsDuplicates: accepts_duplicates ?? true,
    isApproved: true,
  });
}

const GRANT_ENDED =
  'The grant of this agent has ended, so its order cannot be placed. Nothing was bought. Decline the request.';

const isOfEndedGrant = (error: unknown) => error instanceof BestowError && error.code === 'api_key_revoked';

/**
 * Declines a request. Its gift is forgotten.
 *
 * @throws BestowError `resource_missing`; `resource_locked` while an approval is under way; `refused` if it is decided
 */
export const declineRequest = (deps: EndDeps, scope: Scope, decision: Decision & { reason: string | undefined }) =>
  end(deps, scope, decision, 'declined');

/** Withdraws the member's own request. @throws BestowError as above */
export const withdrawRequest = (deps: EndDeps, scope: Scope, decision: Decision) =>
  end(deps, scope, { ...decision, reason: undefined }, 'withdrawn');

type EndDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

const end = (
  deps: EndDeps,
  scope: Scope,
  decision: Decision & { reason: string | undefined },
  state: 'declined' | 'withdrawn',
): Promise<void> =>
  inOrganization(deps.database, scope.organizationId, async (client) => {
    const { requestId, actor, reason = null } = decision;
    const one: queries.OneRequest = [scope.organizationId, scope.environment, requestId];
    const ownOf = state === 'withdrawn' ? actor.memberId : null;
    const now = new Date(deps.clock.now());
    const change = [...one, state, actor.memberId, now, reason, claimedBefore(deps), ownOf] as const;
    await waitForOrders(client, scope);
    if (state === 'declined') await requireDecider(client, one, decision);
    const [ended] = await queries.endRequest(client, [...change]);
    if (ended === undefined)
      return requireState(deps, one, undefined, { memberId: actor.memberId, isOwn: ownOf !== null });
    await announce(client, deps, scope, decision, { state, reason, ...ended });
  });

/** Answers a change that came too late: nothing to do if the request has the wanted state. */
async function requireState(
  { database }: Pick<Deps, 'database'>,
  one: queries.OneRequest,
  wanted: 'approved' | undefined,
  { memberId, isOwn }: { memberId: string; isOwn: boolean },
): Promise<void> {
  const [request] = await queries.selectRequest(database.pool, [...one, memberId, !isOwn]);
  if (request === undefined) throw new BestowError('resource_missing');
  const { state } = request;
  if (state === wanted) return;
  if (state === 'open' || state === 'approving')
    throw new BestowError('resource_locked', { message: 'An admin is approving this request. Try again in a minute.' });
  throw new BestowError('refused', { message: `This request is ${state} already.` });
}

interface Ended {
  state: 'approved' | 'declined' | 'withdrawn';
  reason?: string | null;
  amount_cents: number;
  requester: string | null;
  agent_name: string | null;
}

/** Records the decision, and tells it: an agent by an event, a member by a mail if another person decided. */
async function announce(
  client: PoolClient,
  deps: EndDeps,
  { organizationId, environment }: Scope,
  { requestId, actor, organizationName }: Decision,
  { state, reason = null, amount_cents, requester, agent_name }: Ended,
): Promise<void> {
  const target = encodeId('ask', requestId);
  const about = { organizationId, environment, target };
  const details = { amount_cents, ...(agent_name === null ? {} : { agent: agent_name }) };
  await recordEvent(
    client,
    deps,
    actor,
    state === 'declined'
      ? { ...about, action: 'gift_request.declined', details: { ...details, reason } }
      : { ...about, action: `gift_request.${state}`, details },
  );
  if (agent_name !== null) return announceEnded(client, organizationId, [requestId]);
  if (state === 'withdrawn' || requester === null || requester === actor.email) return;
  await queueNotices(client, deps, {
    organizationId,
    recipients: [requester],
    notice: {
      kind: 'gift_request_decided',
      details: {
        organization_name: organizationName,
        organization_id: encodeId('org', organizationId),
        environment,
        request_id: target,
        amount_cents,
        state,
        reason,
        by: actor.email,
      },
    },
  });
}
