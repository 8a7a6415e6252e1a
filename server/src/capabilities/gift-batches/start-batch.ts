import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { requireNoApproval } from '../../core/orders/require-no-approval.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';
import { requireDraft, type SeenDraft } from './require-draft.ts';

type MemberActor = Extract<Actor, { kind: 'member' }>;
type StartDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

interface Start extends SeenDraft {
  batchId: string;
  actor: MemberActor;
}

const refuse = (message: string) => new BestowError('refused', { message });

/**
 * Starts a batch if the balance covers all of it; its job places the orders. Starting it again changes nothing.
 *
 * @throws BestowError `resource_missing`, `insufficient_balance`, `approval_required`; `refused` as `requireDraft`
 */
export const startBatch = (deps: StartDeps, scope: Scope, start: Start) =>
  change(deps, scope, start, async (client, one, batch) => {
    if (batch.state !== 'draft') return undefined;
    const draft = await requireDraft(client, deps, { one, batch, seen: start });
    const senderId = batch.sender_member_id ?? start.actor.memberId;
    if (start.isApproved !== true) {
      // What was asked for needs the approval, also if the rule has ended.
      if (batch.asked_at !== null) throw new BestowError('approval_required');
      await requireNoApproval(client, scope.organizationId, senderId, draft.amount_cents);
    }
    await requireBalance(deps, client, one, draft.amount_cents);
    return { action: 'batch.started', state: 'running', gifts: draft.row_count, amountCents: draft.amount_cents };
  });

/**
 * Goes on with a batch that stopped, if the balance covers the rest.
 *
 * @throws BestowError `resource_missing`, `insufficient_balance`, `refused` for a draft
 */
export const resumeBatch = (deps: StartDeps, scope: Scope, resume: Pick<Start, 'batchId' | 'actor'>) =>
  change(deps, scope, resume, async (client, one, batch) => {
    if (batch.state === 'draft') throw refuse('These gifts were not sent yet.');
    if (batch.state !== 'stopped') return undefined;
    const [rest] = await queries.sumOpen(client, one);
    if (rest === undefined) throw new Error('A sum has a row.');
    await requireBalance(deps, client, one, rest.amount_cents);
    return { action: 'batch.resumed', state: 'running', gifts: rest.row_count, amountCents: rest.amount_cents };
  });

/**
 * Cancels a batch: places no more, and cancels what is unclaimed. Its job does so; canceling it again changes nothing.
 *
 * @throws BestowError `resource_missing`, `refused` for a draft
 */
export const cancelBatch = (
  deps: StartDeps,
  scope: Scope,
  { reason, ...cancel }: Pick<Start, 'batchId' | 'actor'> & { reason: string | undefined },
) =>
  change(deps, scope, cancel, async (_client, _one, { state }) => {
    if (state === 'draft') throw refuse('These gifts were not sent yet.');
    return state === 'canceling' ? undefined : { action: 'batch.canceled', state: 'canceling', reason: reason ?? null };
  });

type Change =
  | { action: 'batch.started' | 'batch.resumed'; state: 'running'; gifts: number; amountCents: number }
  | { action: 'batch.canceled'; state: 'canceling'; reason: string | null };

/** Decides and writes under the batch's lock, with the audit event and the job. */
const change = (
  deps: StartDeps,
  { organizationId, environment }: Scope,
  { batchId, actor }: Pick<Start, 'batchId' | 'actor'>,
  decide: (client: PoolClient, one: queries.OneBatch, batch: queries.LockedBatch) => Promise<Change | undefined>,
): Promise<void> =>
  inOrganization(deps.database, organizationId, async (client) => {
    const one: queries.OneBatch = [organizationId, environment, batchId];
    const [batch] = await queries.lockBatch(client, one);
    if (batch === undefined) throw new BestowError('resource_missing');
    const decided = await decide(client, one, batch);
    if (decided === undefined) return;
    const { state, action } = decided;
    const [reason, amount] =
      action === 'batch.canceled'
        ? [decided.reason, null]
        : [null, action === 'batch.started' ? decided.amountCents : null];
    const now = new Date(deps.clock.now());
    await queries.queueBatch(client, [...one, state, actor.memberId, actor.address, now, reason, amount]);
    const about = { organizationId, environment, target: encodeId('batch', batchId) };
    await recordEvent(
      client,
      deps,
      actor,
      action === 'batch.canceled'
        ? { ...about, action, details: { reason } }
        : { ...about, action, details: { gifts: decided.gifts, amount_cents: decided.amountCents } },
    );
  });

/** A batch that the balance does not cover places nothing. Each order is checked again when it is placed. */
async function requireBalance(
  { config }: Pick<Deps, 'config'>,
  client: PoolClient,
  [organizationId, environment]: queries.OneBatch,
  cents: number,
): Promise<void> {
  const [payable] = await queries.selectPayable(client, [organizationId, environment]);
  const available = payable?.cents ?? 0;
  if (available >= cents) return;
  const [needed, held] = [cents, available].map((each) => formatMoney(each, config.currency));
  throw new BestowError('insufficient_balance', {
    message: `The gifts cost ${needed}, and the balance holds ${held}. Nothing was bought. Add funds and start again.`,
  });
}
