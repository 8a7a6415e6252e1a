import { storable } from '../../platform/base/storable.ts';
import { within } from '../../platform/base/within.ts';
import type { Deps } from '../deps.ts';
import type { Authorization } from '../issuer/port.ts';
import type { FactSource } from './apply-facts.ts';
import * as queries from './fact-queries.ts';

/** Providers wait two seconds. */
const WITHIN_MS = 1_500;

/**
 * Answers a purchase that waits: true if its amount is left on the card. A repetition gets the same answer; an error, or no
 * answer in time, is false. A hold that was recorded too late ends with the provider's fact that it was declined.
 */
export async function decide(
  deps: Pick<Deps, 'clock' | 'database' | 'log'>,
  source: FactSource,
  authorization: Authorization,
): Promise<boolean> {
  try {
    return await within(WITHIN_MS, ask(deps, source, authorization), () => {
      throw new Error(`No answer within ${WITHIN_MS} ms.`);
    });
  } catch (error) {
    deps.log.error(
      { err: error, authorization: authorization.authorizationId },
      'A purchase was declined by an error.',
    );
    return false;
  }
}

async function ask(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { organizationId, issuerId }: FactSource,
  { authorizationId, holdId, providerId, amountCents, merchant, at }: Authorization,
): Promise<boolean> {
  if (amountCents < 0 || amountCents > MOST_CENTS) return false;
  const factId = `decision:${authorizationId}`;
  const asked = [organizationId, issuerId, providerId, factId, holdId, amountCents, storable(merchant), at] as const;
  const [card] = await queries.decide(database.purchase, [...asked, new Date(clock.now())]);
  if (card === undefined) return false;
  if (card.kind !== null) return card.kind === 'approved';
  // A separate statement: the one above does not see an answer that was committed while it waited for the lock.
  const [earlier] = await queries.selectFactKind(database.read, [
    organizationId,
    card.environment,
    card.gift_id,
    factId,
  ]);
  return earlier?.kind === 'approved';
}

/** Fits an integer of PostgreSQL. */
const MOST_CENTS = 1_000_000_000;
