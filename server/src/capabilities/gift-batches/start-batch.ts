import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recentSince } from './check-rows.ts';
import * as queries from './queries.ts';

type MemberActor = Extract<Actor, { kind: 'member' }>;
type StartDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

interface Start {
  batchId: string;
  actor: MemberActor;
  /** What the admin saw. */
  amountCents: number;
  /** Whether the admin wants gifts to addresses that had one, or that are in the file before. */
  acceptsDuplicates: boolean;
}

const refuse = (message: string) => new BestowError('refused', { message });

/**
 * Starts a batch if the balance covers all of it; its job places the orders. Starting it again changes nothing.
 *
 * @throws BestowError `resource_missing`, `insufficient_balance`, `refused` if rows are missing, if the sum is another one, or
 *   for duplicates that were not accepted
 */
export const startBatch = (deps: StartDeps, scope: Scope, { amountCents, acceptsDuplicates, ...start }: Start) =>
  change(deps, scope, start, async (client, one, batch) => {
    if (batch.state !== 'draft') return undefined;
    const draft = await sumOf(queries.sumDraft(client, [...one, recentSince(deps)]));
    if (draft.row_count !== batch.row_count)
      throw refuse(`Only ${draft.row_count} of ${batch.row_count} rows have arrived. Send them again.`);
    if (draft.amount_cents !== amountCents)
      throw refuse('The rows have another sum than the one shown. Check them again.');
    if (draft.duplicates > 0 && !acceptsDuplicates)
      throw refuse(
        `${draft.duplicates} rows are to people who had a gift within 30 days or are in the file twice. Confirm them.`,
      );
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
    const rest = await sumOf(queries.sumOpen(client, one));
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
type LockedBatch = { state: queries.BatchState; row_count: number };

/** Decides and writes under the batch's lock, with the audit event and the job. */
const change = (
  deps: StartDeps,
  { organizationId, environment }: Scope,
  { batchId, actor }: Pick<Start, 'batchId' | 'actor'>,
  decide: (client: PoolClient, one: queries.OneBatch, batch: LockedBatch) => Promise<Change | undefined>,
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

async function sumOf<Sum>(read: Promise<Sum[]>): Promise<Sum> {
  const [sum] = await read;
  if (sum === undefined) throw new Error('A sum has a row.');
  return sum;
}

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
