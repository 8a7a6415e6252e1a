import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { claimed, giftFacts } from '../../../platform/events/gift-facts.ts';
import { insertClaimJobs } from '../../../platform/jobs/insert-jobs.ts';
import type { Language } from '../../../platform/languages/languages.ts';
import { insertProof } from '../../card-proofs/statement-parts.ts';
import { activateCard, beginCard, insertActiveCard, makeCard, refuseCard } from '../../cards/statement-parts.ts';
import { ANY_CATEGORY, shownCategory } from '../../catalog/any-category.ts';
import { deliverPending } from '../../delivery/statement-parts.ts';
import { type IssuerColumns, issuerColumns, joinIssuer } from '../../issuer/chosen-issuer.ts';
import type { CardFace } from '../../issuer/port.ts';
import { type HeldBy, heldBy, isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';
import { callerOfChange, changedGift, type FoundGift, type One, ownGift } from '../gift/queries.ts';
import { earlierGift, openingFacts } from './open-queries.ts';

type OfGift = [organizationId: string, environment: Environment, giftId: string];

/** What a claim needs to know beforehand, with the issuer that the card will have. */
export const selectClaim = statement<
  OfGift,
  {
    held_by: HeldBy;
    canceled_at: Date | null;
    claiming_at: Date | null;
    chosen_category_id: string | null;
  } & IssuerColumns
>(
  'gifts.select_claim',
  `select ${heldBy}, g.canceled_at, g.claiming_at, g.chosen_category_id, ${issuerColumns}
   from gifts g ${joinIssuer}
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3`,
);

const claimable = `claimed_at is null and canceled_at is null and is_waiting is null and ${isNotClaiming} and ${isNotHeld}
     and ($7::smallint is null or link_version = $7)`;

/** Of `any` gifts: a category is chosen, and it is still the one whose issuer and page the claim read. */
const isStillChosen = (chosen: string) => `chosen_category_id is not distinct from ${chosen}::text
     and (category_id <> '${ANY_CATEGORY}' or chosen_category_id is not null)`;

/**
 * Claims once, without a call to an issuer. Returns no gift if it is claimed, claiming, canceled, on hold or not sent yet, or the given link
 * version is outdated.
 */
export const claimGift = statement<
  [
    ...One,
    now: Date,
    cardId: string,
    linkVersion: number | null,
    holderHash: Buffer | null,
    chosenCategoryId: string | null,
    pin: Buffer | null,
    holderAddress: string | null,
  ],
  FoundGift
>(
  'gifts.claim',
  `with ${callerOfChange()}, ${unheldOrganization}, ${earlierGift(`${claimable} and ${isStillChosen('$9')}`)}, gift as (
     update gifts set opened_at = coalesce(opened_at, $5), claimed_at = $5, card_id = $6,
       holder_hash = $8,
       delivery_state = case delivery_state when 'pending' then 'delivered' else delivery_state end
     from earlier where ${ownGift()}
     returning *
   ), delivery as (
     ${deliverPending('$5')}
   ), proof as (
     ${insertProof('select organization_id, environment, gift_id, $10::bytea as pin, $11::text as holder_address from gift')}
   ), ${appendEvents(giftFacts('gift', '$5', [...openingFacts, claimed('true')]), ['delivery', 'proof'])}
   ${changedGift}`,
);

/** Records the card that a local issuer made, before the claim in the same transaction. */
export const insertLocalCard = statement<
  [...OfGift, issuerId: string, providerId: string | null, face: CardFace | null, now: Date]
>('cards.insert_local', insertActiveCard(`values ($1, $2, $3, $4, 'active', 1, $5, $6, $7)`));

/**
 * Begins a claim, opens the gift and adds the job that finishes the claim. From the commit on, nothing but the claim changes
 * the gift. Returns no gift for the reasons of `claimGift`.
 */
export const beginClaim = statement<
  [
    ...One,
    now: Date,
    issuerId: string,
    linkVersion: number | null,
    holderHash: Buffer | null,
    entered: string | null,
    termsVersion: string | null,
    acceptedAt: Date | null,
    traceparent: string | undefined,
    chosenCategoryId: string | null,
    pin: Buffer | null,
    holderAddress: string | null,
  ],
  FoundGift
>(
  'gifts.begin_claim',
  `with ${callerOfChange()}, ${unheldOrganization}, ${earlierGift(`${claimable} and ${isStillChosen('$13')}`)}, gift as (
     update gifts set opened_at = coalesce(opened_at, $5), claiming_at = $5,
       delivery_state = case delivery_state when 'pending' then 'delivered' else delivery_state end
     from earlier where ${ownGift()}
     returning *
   ), delivery as (
     ${deliverPending('$5')}
   ), card as (
     ${beginCard(`select organization_id, environment, gift_id, $6::uuid, 'claiming', 1, $9, $8::bytea, $10, $11::timestamptz, $5,
       $14::bytea, $15 from gift`)}
   ), job as (
     ${insertClaimJobs('select organization_id, environment, gift_id, $12::text as traceparent from gift')}
   ), ${appendEvents(giftFacts('gift', '$5', openingFacts), ['delivery', 'card'])}
   ${changedGift}`,
);

export interface ClaimingRow extends IssuerColumns {
  state: 'claiming' | 'inactive' | 'active' | 'refused' | 'closed';
  round: number;
  entered: string | null;
  provider_id: string | null;
  refusal: string | null;
  amount_cents: number;
  category_id: string;
  created_at: Date;
  language: Language | null;
  /** The earliest time to which the database was restored since; null if it was not. */
  restored_to: Date | null;
}

export const selectClaiming = statement<OfGift, ClaimingRow>(
  'cards.select_claiming',
  `select k.state, k.round, k.entered, k.provider_id, k.refusal, g.amount_cents, ${shownCategory('g')} as category_id,
     g.created_at, coalesce(g.language, (
       select o.language from organizations o where o.organization_id = $1)) as language, (
       select min(r.restored_to) from restores r
       where r.organization_id = $1 and r.environment = $2 and r.finished_at > g.created_at
     ) as restored_to, ${issuerColumns}
   from gifts g ${joinIssuer}
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3 and k.state is not null`,
);

/** CTE `claim`: locks the gift and its card, if the issuer is still being asked in round `$4`. */
const openRound = `claim as materialized (
     select g.gift_id, k.pin, k.holder_address from gifts g join cards k using (organization_id, environment, gift_id)
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3 and g.claiming_at is not null
       and k.state = 'claiming' and k.round = $4
     for no key update
   )`;

/** Claims the gift of a card that exists. Returns no gift if another process did, or the round is over. */
export const completeClaim = statement<
  [...OfGift, round: number, providerId: string | null, face: CardFace | null, now: Date, sealed: string | null],
  { gift_id: string }
>(
  'gifts.complete_claim',
  `with ${openRound}, card as (
     ${makeCard({ providerId: '$5', face: '$6', sealed: '$8' })}
   ), gift as (
     update gifts g set claimed_at = $7, card_id = g.gift_id, claiming_at = null, holder_hash = card.holder_hash
     from card where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3
     returning g.*
   ), proof as (
     ${insertProof('select g.organization_id, g.environment, g.gift_id, claim.pin, claim.holder_address from gift g cross join claim')}
   ), ${appendEvents(giftFacts('gift', '$7::timestamptz', [claimed('true')]), ['proof'])}
   select gift_id from gift where organization_id = $1`,
);

/** Makes the gift claimable again, because there is no card. Returns no gift if the round is over. */
export const undoClaim = statement<[...OfGift, round: number, refusal: string], { gift_id: string }>(
  'gifts.undo_claim',
  `with ${openRound}, card as (
     ${refuseCard('$5')}
   )
   update gifts g set claiming_at = null from claim
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = claim.gift_id
   returning g.gift_id`,
);

export const markActive = statement<OfGift>('cards.mark_active', activateCard);
