import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { chosenIssuer } from '../../issuer/chosen-issuer.ts';
import { readIssuerAgain } from '../../issuer/plan-reconciliation.ts';
import type { CardAtIssuer, Entered, IssueOutcome, RemoteIssuer } from '../../issuer/port.ts';
import * as queries from './claim-queries.ts';

type FinishDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'issuers' | 'cipher'>;

/** `active`: the card works. `pending`: the issuer needs more time, or did not answer. */
type ClaimEnd = { state: 'active' } | { state: 'pending' } | { state: 'refused'; reason: string };

type Issued = Extract<IssueOutcome, { state: 'issued' }>;

/**
 * Finishes a claim that was begun, from wherever it is. The card is created inactive, then the gift is claimed, then the card
 * is activated. So a card that works always has a claimed gift, and no crash leaves a claimed gift without a card. The
 * recipient's request and the job may run this at the same time.
 *
 * @throws the issuer's error, or `AbortError`; calling it again goes on
 */
export async function finishClaim(
  deps: FinishDeps,
  scope: Scope,
  giftId: string,
  signal: AbortSignal,
): Promise<ClaimEnd> {
  const { organizationId, environment } = scope;
  const one = [organizationId, environment, giftId] as const;
  const [claim] = await queries.selectClaiming(deps.database.pool, [...one]);
  if (claim === undefined) return { state: 'active' };
  if (claim.state === 'refused') return { state: 'refused', reason: claim.refusal ?? '' };
  if (claim.state === 'active' || claim.state === 'closed') return { state: 'active' };
  const issuer = await deps.issuers.open(organizationId, chosenIssuer(claim));
  if (issuer.isLocal) throw new Error('A local issuer has no unfinished claims.');
  const cardOf = (providerId: string): CardAtIssuer => ({
    organizationId,
    environment,
    giftId,
    providerId,
    valueCents: claim.amount_cents,
  });
  let providerId = claim.provider_id;
  if (claim.state === 'claiming') {
    const outcome = await issue(deps, issuer, one, claim, signal);
    if (outcome.state === 'pending') return outcome;
    if (outcome.state === 'refused') {
      const undone = await queries.undoClaim(deps.database.pool, [...one, claim.round, outcome.reason]);
      // Another process got the card.
      return undone.length > 0 ? outcome : { state: 'pending' };
    }
    providerId = outcome.providerId;
    if (!(await complete(deps, one, claim.round, outcome))) {
      // Another process got the same card, or the claim was undone, so this card must not stay.
      const [now] = await queries.selectClaiming(deps.database.pool, [...one]);
      if (now?.provider_id !== providerId && providerId !== null) await issuer.close(cardOf(providerId), signal);
      if (now?.provider_id !== providerId) return { state: 'pending' };
    }
    // The card may be of a claim that a restore undid, and may have paid since.
    if (claim.restored_to !== null && claim.issuer_id !== null)
      await readIssuerAgain(deps, { organizationId, issuerId: claim.issuer_id }, claim.restored_to);
  }
  if (providerId !== null) await issuer.activate?.(cardOf(providerId), signal);
  await queries.markActive(deps.database.pool, [...one]);
  return { state: 'active' };
}

function issue(
  { config, cipher }: FinishDeps,
  issuer: RemoteIssuer,
  [organizationId, environment, giftId]: readonly [string, Scope['environment'], string],
  { round, entered, amount_cents, category_id, created_at, language, restored_to }: queries.ClaimingRow,
  signal: AbortSignal,
): Promise<IssueOutcome> {
  const opened = entered === null ? undefined : cipher.decrypt(entered);
  if (entered !== null && opened === undefined) throw new Error('What the recipient entered cannot be opened.');
  return issuer.issue(
    {
      organizationId,
      environment,
      giftId,
      cardId: giftId,
      categoryId: category_id,
      valueCents: amount_cents,
      currency: config.currency,
      idempotencyKey: `${encodeId('gift', giftId)}-${round}`,
      entered: opened === undefined ? { fields: {} } : (JSON.parse(opened) as Entered),
      giftCreatedAt: created_at,
      language: language ?? undefined,
      restoredTo: restored_to ?? undefined,
    },
    signal,
  );
}

async function complete(
  { clock, database }: FinishDeps,
  one: readonly [string, Scope['environment'], string],
  round: number,
  { providerId, face, sealed }: Issued,
): Promise<boolean> {
  const completed = await queries.completeClaim(database.pool, [
    ...one,
    round,
    providerId,
    face,
    new Date(clock.now()),
    sealed ?? null,
  ]);
  return completed.length > 0;
}

/** How long a job waits for the issuer. */
const JOB_WAIT_MS = 30_000;

/** Finishes a claim in a job. @throws if it is not finished yet, so that the job is retried */
export async function finishClaimLater(deps: FinishDeps, scope: Scope, giftId: string): Promise<void> {
  const end = await finishClaim(deps, scope, giftId, AbortSignal.timeout(JOB_WAIT_MS));
  if (end.state === 'pending') throw new Error('The card’s issuer needs more time.');
}
