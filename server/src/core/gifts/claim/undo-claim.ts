import type { Actor } from '../../../platform/base/actor.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../../platform/database/connections.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Deps } from '../../deps.ts';
import { chosenIssuer } from '../../issuer/chosen-issuer.ts';
import { recordEvent } from '../gift/actions.ts';
import * as queries from './claim-queries.ts';

type UndoDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'issuers'>;

const ASK_WITHIN_MS = 10_000;
/** For the recipient, should the gift be looked at before it is claimed again. */
const REFUSAL = 'The issuer did not answer. Please claim your gift again.';

/**
 * Makes a gift claimable again whose card's issuer will not answer any more. Only a claim without a card in our books can be
 * undone: such a card was never activated, and if the issuer made it after all, `finishClaim` closes it.
 *
 * @throws OperatorError if no claim waits, its card exists, or the issuer answers
 */
export async function undoClaim(
  deps: UndoDeps,
  { scope, giftId, actor }: { scope: Scope; giftId: string; actor: Actor },
): Promise<void> {
  const { organizationId, environment } = scope;
  const one = [organizationId, environment, giftId] as const;
  const [claim] = await queries.selectClaiming(deps.database.pool, [...one]);
  if (claim === undefined || claim.state === 'refused')
    throw new OperatorError('No claim of this gift waits for an issuer.');
  if (claim.state !== 'claiming') throw withCard();
  if (await answers(deps, organizationId, claim))
    throw new OperatorError(
      'The issuer answers, so the claim goes on by itself. Look for “Jobs failed” in the log if it does not.',
    );
  await inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      const undone = await queries.undoClaim(client, [...one, claim.round, REFUSAL]);
      if (undone.length === 0) throw withCard();
      await recordEvent(client, deps, actor, {
        organizationId,
        environment,
        action: 'gift.claim_undone',
        target: encodeId('gift', giftId),
        details: { issuer: claim.issuer_kind ?? '' },
      });
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );
}

const withCard = () => new OperatorError('The gift is claimed and its card exists, so the claim cannot be undone.');

/** Settings that do not work any more count as no answer. */
async function answers({ issuers }: UndoDeps, organizationId: string, claim: queries.ClaimingRow): Promise<boolean> {
  try {
    const issuer = await issuers.open(organizationId, chosenIssuer(claim));
    await issuer.test(AbortSignal.timeout(ASK_WITHIN_MS));
    return true;
  } catch {
    return false;
  }
}
