import { dateOf } from 'bestow-readers/time.ts';
import type { PoolClient } from 'pg';
import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { LOCK_TIMEOUT_MS } from '../../../platform/database/connections.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Queryable } from '../../../platform/database/statement.ts';
import type { WayBack } from '../../card-proofs/prove.ts';
import { ANY_CATEGORY, needsChoice } from '../../catalog/any-category.ts';
import type { Deps } from '../../deps.ts';
import { type ChosenIssuer, chosenIssuer } from '../../issuer/chosen-issuer.ts';
import type { Entered, LocalIssuer } from '../../issuer/port.ts';
import { lockGift } from '../gift/lock-gift.ts';
import type { GiftRow } from '../gift/queries.ts';
import { foundGift, requireGift } from '../gift/retrieve-gift.ts';
import { chooseFirstCategory } from './choice-queries.ts';
import * as queries from './claim-queries.ts';
import { ClaimPending, ClaimRefused } from './claim-refused.ts';
import { finishClaim } from './finish-claim.ts';
import { type ScreenDeps, screenClaim } from './screen-claim.ts';

type ClaimDeps = ScreenDeps & Pick<Deps, 'issuers' | 'screening' | 'cipher'>;

/** Of the link's page. */
interface ByLink {
  /** The gift is missing if the link was ended since. */
  linkVersion: number;
  /** Of the browser that may see the card. */
  holderHash: Buffer;
  /** Of an `any` gift: what the page shows as chosen. */
  categoryId?: string | undefined;
  /** Valid by the issuer's requirements. */
  entered?: Entered | undefined;
  /** What the recipient chose of the issuer's offers. */
  offerId?: string | undefined;
  /** Of a link gift. */
  wayBack?: WayBack | undefined;
}

/** How long a recipient waits for the answer; the job goes on. */
const WAIT_MS = 8_000;

/**
 * Redeems the gift onto a card, exactly once, and opens it if it was unopened. A card that needs no call to the outside is
 * made in the commit of the claim; for the order of the others see `finishClaim`.
 *
 * @throws BestowError `resource_missing`, `gift_already_redeemed`, `gift_canceled`, `gift_scheduled`, `gift_on_hold`,
 *   `resource_locked`;
 *   ClaimRefused, ClaimPending; and the errors of a local issuer
 */
export async function claimGift(deps: ClaimDeps, caller: Caller, giftId: string, by?: ByLink): Promise<GiftRow> {
  const { organizationId, environment } = caller;
  const found = await requireGift(deps, caller, giftId);
  if (found.claimed_at !== null) throw new BestowError('gift_already_redeemed');
  if (found.is_waiting) throw new BestowError('gift_scheduled');
  if (by === undefined && needsChoice(found))
    await chooseFirstCategory(deps.database.change, [organizationId, environment, giftId]);
  const [claim] = await queries.selectClaim(deps.database.read, [organizationId, environment, giftId]);
  if (claim !== undefined && claim.canceled_at !== null) throw new BestowError('gift_canceled');
  if (claim?.held_by != null) throw new BestowError('gift_on_hold');
  if (claim !== undefined && claim.claiming_at !== null) throw new ClaimPending();
  // As the statement read it that chose the issuer.
  const gift = { ...found, chosen_category_id: claim?.chosen_category_id ?? null };
  requireChoice(gift, by);
  const chosen = claim === undefined ? null : chosenIssuer(claim);
  const issuer = await deps.issuers.open(organizationId, chosen);
  const { isReal } = issuer.capabilities;
  if (environment === 'live' && !isReal && !deps.config.allowsSimulatedLive) throw withoutIssuer();
  const claimNow = async () => {
    if (!issuer.isLocal) return claimRemotely(deps, caller, gift, { chosen, by });
    const claimed = await claimLocally(deps, caller, gift, { issuer, chosen, by });
    return claimed ?? (await explain(deps, caller, gift, by));
  };
  const { screening } = deps;
  if (screening === undefined || environment === 'sandbox') return claimNow();
  const { country } = issuer.requirements('en') ?? {};
  return screenClaim({ ...deps, screening }, { caller, gift, entered: by?.entered, country }, claimNow);
}

const withoutIssuer = () =>
  new ClaimRefused(
    'Gifts cannot be claimed yet, because no issuer is set up here. Your gift is safe: please come back later.',
    503,
  );

const unchosen = () => new ClaimRefused('Please check your choice, and then claim your gift.', 422);

/** @throws if the recipient of an `any` gift has not chosen, or sees another choice than the one that is recorded */
function requireChoice(gift: GiftRow, by: ByLink | undefined): void {
  if (gift.category_id !== ANY_CATEGORY) return;
  if (by === undefined && needsChoice(gift))
    throw new BestowError('resource_missing', {
      message: 'The catalog has no category that the recipient can choose.',
    });
  if (needsChoice(gift) || (by !== undefined && by.categoryId !== gift.chosen_category_id)) throw unchosen();
}

/** Returns undefined if the gift's state does not allow it. */
async function claimLocally(
  deps: ClaimDeps,
  caller: Caller,
  gift: GiftRow,
  { issuer, chosen, by }: { issuer: LocalIssuer; chosen: ChosenIssuer | null; by: ByLink | undefined },
): Promise<GiftRow | undefined> {
  const { organizationId, environment } = caller;
  const giftId = gift.gift_id;
  const now = new Date(deps.clock.now());
  // A gift has one card, so both have the same id.
  const claim = [
    ...parametersOf(caller),
    giftId,
    now,
    giftId,
    by?.linkVersion ?? null,
    by?.holderHash ?? null,
    gift.chosen_category_id,
    by?.wayBack?.pin ?? null,
    by?.wayBack?.address ?? null,
  ] as const;
  const claimOn = async (database: Queryable) => foundGift(caller, await queries.claimGift(database, [...claim]));
  const { issue } = issuer;
  if (issue === undefined) return claimOn(deps.database.change);
  const issueAndClaim = async (client: PoolClient) => {
    // First, so that two claims of a gift do not take two codes.
    if ((await lockGift(client, caller, giftId)).claimed_at !== null) throw new NotClaimable();
    const outcome = await issue(client, newCard(deps, caller, gift));
    if (outcome.state === 'refused') throw new ClaimRefused(outcome.reason, 503);
    if (outcome.state === 'pending') throw new Error('A local issuer cannot need more time.');
    const card = [outcome.providerId, outcome.face, now] as const;
    if (chosen !== null)
      await queries.insertLocalCard(client, [organizationId, environment, giftId, chosen.issuer_id, ...card]);
    const claimed = await claimOn(client);
    if (claimed === undefined) throw new NotClaimable();
    return claimed;
  };
  return inOrganization(deps.database, organizationId, issueAndClaim, { lockWaitMs: LOCK_TIMEOUT_MS }).catch(
    (error) => {
      if (error instanceof NotClaimable) return undefined;
      throw error;
    },
  );
}

/** Rolls back what an issuer wrote. */
class NotClaimable extends Error {}

const newCard = ({ config }: Pick<Deps, 'config'>, { organizationId, environment }: Caller, gift: GiftRow) => ({
  organizationId,
  environment,
  giftId: gift.gift_id,
  cardId: gift.gift_id,
  categoryId: gift.chosen_category_id ?? gift.category_id,
  valueCents: gift.amount_cents,
  currency: config.currency,
});

async function claimRemotely(
  deps: ClaimDeps,
  caller: Caller,
  gift: GiftRow,
  { chosen, by }: { chosen: ChosenIssuer | null; by: ByLink | undefined },
): Promise<GiftRow> {
  if (chosen === null) throw new Error('Only the simulated issuer is without a choice.');
  const giftId = gift.gift_id;
  const entered = withOffer(by);
  const { acceptance } = entered ?? {};
  const began = await queries.beginClaim(deps.database.change, [
    ...parametersOf(caller),
    giftId,
    new Date(deps.clock.now()),
    chosen.issuer_id,
    by?.linkVersion ?? null,
    by?.holderHash ?? null,
    entered === undefined ? null : deps.cipher.encrypt(JSON.stringify(entered)),
    acceptance?.termsVersion ?? null,
    acceptance === undefined ? null : dateOf(acceptance.at),
    deps.tracer?.current(),
    gift.chosen_category_id,
    by?.wayBack?.pin ?? null,
    by?.wayBack?.address ?? null,
  ]);
  if (foundGift(caller, began) === undefined) return explain(deps, caller, gift, by);
  const end = await finishClaim(deps, caller, giftId, AbortSignal.timeout(WAIT_MS)).catch((error) => {
    throw new ClaimPending('The claim is not finished.', { cause: error });
  });
  if (end.state === 'refused') throw new ClaimRefused(end.reason, 422);
  if (end.state === 'pending') throw new ClaimPending();
  return requireGift(deps, caller, giftId);
}

const withOffer = ({ entered, offerId }: Partial<ByLink> = {}): Entered | undefined =>
  offerId === undefined ? entered : { fields: {}, ...entered, offerId };

/** @throws why the gift cannot be claimed */
async function explain(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  { gift_id: giftId, chosen_category_id }: GiftRow,
  by: ByLink | undefined,
): Promise<never> {
  const { link_version, claimed_at, canceled_at, ...now } = await requireGift(deps, caller, giftId);
  if (by !== undefined && by.linkVersion !== link_version) throw new BestowError('resource_missing');
  if (canceled_at !== null) throw new BestowError('gift_canceled');
  if (claimed_at !== null) throw new BestowError('gift_already_redeemed');
  const { organizationId, environment } = caller;
  const [claim] = await queries.selectClaim(deps.database.read, [organizationId, environment, giftId]);
  if (claim !== undefined && claim.claiming_at !== null) throw new ClaimPending();
  if (now.chosen_category_id !== chosen_category_id) throw unchosen();
  throw new BestowError('gift_on_hold');
}
