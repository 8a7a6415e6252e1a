import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { legsOf } from '../balances/accounts.ts';
import { appendEntry } from '../balances/append-entry.ts';
import { lockUsableBalance } from '../balances/lock-balance.ts';
import { nextTakingBack } from '../balances/next-reference.ts';
import type { Deps } from '../deps.ts';
import type { Fact } from '../issuer/port.ts';
import { bookFacts } from './apply-facts.ts';
import * as queries from './fact-queries.ts';

type TakeBackDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'issuers'>;

const WAIT_MS = 20_000;
/** As the gift's purchases show it. */
const RETURNED = 'Returned to the sender';

/**
 * Ends the card of a claimed gift at its issuer, and returns what is left on it to the organization's balance. The issuer comes
 * first, so nothing is returned that the recipient can still spend; after a crash in between, the same act goes on. What a shop
 * returns to the card later can be taken back too. The audit log has the entry of the balance, which names the gift.
 *
 * @returns cents
 * @throws OperatorError if no issuer made the card, it does not end it, a purchase is under way, or nothing is left; and the
 *   issuer's error
 */
export async function takeBackGift(
  deps: TakeBackDeps,
  { scope, giftId, actor }: { scope: Scope; giftId: string; actor: Actor },
): Promise<number> {
  const { organizationId, environment } = scope;
  const one = [organizationId, environment, giftId] as const;
  const [found] = await queries.selectIssuedCard(deps.database.pool, [...one]);
  if (found === undefined) throw new OperatorError('The gift has no card of an issuer.');
  const { issuer_id: issuerId, provider_id: providerId, amount_cents: valueCents } = found;
  const issuer = await deps.issuers.open(organizationId, found);
  if (issuer.isLocal || providerId === null) throw new OperatorError('What its issuer made cannot be taken back.');
  requireLeft(await queries.selectLeft(deps.database.pool, [...one]));
  const card = { organizationId, environment, giftId, providerId, valueCents };
  if (!(await issuer.close(card, AbortSignal.timeout(WAIT_MS))))
    throw new OperatorError('The issuer does not take it back: it was used, or the issuer does not allow it.');
  return inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      await lockUsableBalance(client, organizationId, environment);
      await queries.lockCard(client, [organizationId, issuerId, providerId]);
      const { leftCents, heldCents } = requireLeft(await queries.selectLeft(client, [...one]));
      if (heldCents !== 0) throw new OperatorError('A purchase is under way. Try again when it has ended.');
      const now = new Date(deps.clock.now());
      const { count, reference } = await nextTakingBack(client, organizationId, environment, encodeId('gift', giftId));
      await bookFacts(client, one, factsOf(providerId, leftCents, now, count), now);
      const [after] = await queries.selectLeft(client, [...one]);
      if (after?.left_cents !== 0) throw new Error('The card kept its value, so nothing is returned.');
      await appendEntry(client, deps, {
        organizationId,
        environment,
        kind: 'adjustment',
        amountCents: leftCents,
        reference,
        note: 'What was left on the card of a claimed gift',
        legs: legsOf({ spent: -leftCents }),
        actor,
      });
      return leftCents;
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );
}

/** @throws OperatorError if it was taken back, or spent */
function requireLeft([row]: { left_cents: number; held_cents: number }[]) {
  if ((row?.left_cents ?? 0) === 0) throw new OperatorError('Nothing is left on the card of this gift.');
  return { leftCents: row?.left_cents ?? 0, heldCents: row?.held_cents ?? 0 };
}

/** The card is closed, and its rest is spent on what the entry returns. */
const factsOf = (providerId: string, leftCents: number, at: Date, count: number): Fact[] => [
  { kind: 'closed', factId: 'taken back:closed', providerId, at },
  {
    kind: 'captured',
    factId: count === 1 ? 'taken back' : `taken back:${count}`,
    providerId,
    at,
    holdId: null,
    amountCents: leftCents,
    merchant: RETURNED,
    isFinal: true,
  },
];
