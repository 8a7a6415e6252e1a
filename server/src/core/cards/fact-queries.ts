import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { giftFacts, spent } from '../../platform/events/gift-facts.ts';
import { setSpent } from '../gifts/gift/statement-parts.ts';

/** The issuer that was called, and the provider's id of the card. */
type OfProvider = [organizationId: string, issuerId: string, providerId: string];
type OfGift = [organizationId: string, environment: Environment, giftId: string];

/**
 * A provider calls at one address for all cards of an account, so those of the organization's other issuers of this kind count
 * too: of other categories, and removed ones.
 */
const ofProvider = `k.organization_id = $1 and k.provider_id = $3 and k.issuer_id = any (array(
     select i.issuer_id from issuers i join issuers called using (organization_id, kind)
     where i.organization_id = $1 and called.issuer_id = $2))`;

/** Locks a card and its gift. Returns no row if there is no such card, or its gift is not claimed yet. */
export const lockCard = statement<OfProvider, { environment: Environment; gift_id: string }>(
  'cards.lock',
  `select k.environment, k.gift_id from cards k join gifts g using (organization_id, environment, gift_id)
   where ${ofProvider} and g.claimed_at is not null
   for no key update`,
);

/** What a card of a claimed gift is at its issuer. */
export const selectIssuedCard = statement<
  OfGift,
  {
    issuer_id: string;
    kind: string;
    settings: string;
    provider_id: string | null;
    amount_cents: number;
  }
>(
  'cards.select_issued',
  `select i.issuer_id, i.kind, i.settings, k.provider_id, g.amount_cents
   from cards k join gifts g using (organization_id, environment, gift_id)
   join issuers i on i.organization_id = k.organization_id and i.issuer_id = k.issuer_id
   where k.organization_id = $1 and k.environment = $2 and k.gift_id = $3 and k.state in ('active', 'closed')`,
);

/** What is left on a card, and held; the transaction has locked it. */
export const selectLeft = statement<OfGift, { left_cents: number; held_cents: number }>(
  'cards.select_left',
  `select g.amount_cents - g.spent_cents as left_cents, k.held_cents
   from cards k join gifts g using (organization_id, environment, gift_id)
   where k.organization_id = $1 and k.environment = $2 and k.gift_id = $3`,
);

/** Adds facts, as JSON, that are not known. */
export const insertFacts = statement<[...OfGift, facts: string, now: Date], { fact_id: string }>(
  'card_facts.insert',
  `insert into card_facts (organization_id, environment, gift_id, fact_id, kind, subject_id, amount_cents, merchant, is_final,
     outcome, at, received_at)
   select $1, $2, $3, f.fact_id, f.kind, f.subject_id, f.amount_cents, f.merchant, f.is_final, f.outcome, f.at, $5
   from jsonb_to_recordset($4::jsonb) as f (fact_id text, kind text, subject_id text, amount_cents integer, merchant text,
     is_final boolean, outcome text, at timestamptz)
   on conflict do nothing
   returning fact_id`,
);

/**
 * Derives the sums of a card from all its facts; the transaction has locked the card. A hold is what the latest of its facts
 * says and what was approved since, less what was captured. A gift's spent cents never exceed its value; the rest is
 * overspent.
 */
export const settleCard = statement<[...OfGift, now: Date], { overspent_cents: number }>(
  'cards.settle',
  `with known as materialized (
     select * from card_facts where organization_id = $1 and environment = $2 and gift_id = $3
   ), hold as (
     select subject_id,
       bool_or(kind = 'released' or is_final) is true as is_over,
       coalesce(sum(amount_cents) filter (where kind = 'captured'), 0) as captured_cents,
       (array_agg(amount_cents order by at desc, kind desc, fact_id desc)
         filter (where kind in ('hold', 'hold_changed')))[1] as amount_cents,
       max(at) filter (where kind in ('hold', 'hold_changed')) as as_of
     from known where subject_id is not null and kind <> 'disputed' group by subject_id
   ), held as (
     select coalesce(sum(greatest(0, coalesce(h.amount_cents, 0) - h.captured_cents + (
       select coalesce(sum(f.amount_cents), 0) from known f
       where f.kind = 'approved' and f.subject_id = h.subject_id and (h.as_of is null or f.at > h.as_of)))), 0)::bigint as cents
     from hold h where not h.is_over
   ), dispute as (
     select distinct on (subject_id) amount_cents, outcome from known where kind = 'disputed'
     order by subject_id, at desc, fact_id desc
   ), sums as (
     select coalesce(sum(amount_cents) filter (where kind = 'captured'), 0)::bigint as captured_cents,
       coalesce(sum(amount_cents) filter (where kind = 'refunded'), 0)::bigint
         + coalesce((select sum(amount_cents) from dispute where outcome = 'won'), 0)::bigint as refunded_cents,
       bool_or(kind = 'closed') is true as is_closed
     from known
   ), before as (
     select g.spent_cents from gifts g where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3
   ), gift as (
     ${setSpent('sums')}
   ), card as (
     update cards k set held_cents = h.cents, captured_cents = s.captured_cents, refunded_cents = s.refunded_cents,
       overspent_cents = greatest(0, s.captured_cents - s.refunded_cents - g.amount_cents),
       state = case when s.is_closed then 'closed' else k.state end
     from sums s, held h, gift g
     where k.organization_id = $1 and k.environment = $2 and k.gift_id = $3
     returning k.organization_id, k.overspent_cents
   ), ${appendEvents(
     giftFacts('(select gift.*, before.spent_cents as earlier_cents from gift, before)', '$4::timestamptz', [
       spent('g.spent_cents > g.earlier_cents', 'g.spent_cents - g.earlier_cents', 'g.amount_cents - g.spent_cents'),
     ]),
     ['card'],
   )}
   select overspent_cents from card where organization_id = $1`,
);

/**
 * Answers a purchase: `approved` if its amount is left on an active card whose gift is not on hold. Returns no kind if the
 * question was answered before, and no row if there is no such card.
 *
 * The card's lock comes first and re-reads its sums, so concurrent purchases never get the same money.
 */
export const decide = statement<
  [...OfProvider, factId: string, holdId: string, amountCents: number, merchant: string, at: Date, now: Date],
  { environment: Environment; gift_id: string; kind: 'approved' | 'declined' | null }
>(
  'cards.decide',
  `with card as materialized (
     select k.organization_id, k.environment, k.gift_id, k.state = 'active' and g.held_at is null as is_usable,
       g.amount_cents - k.captured_cents + k.refunded_cents - k.held_cents as left_cents
     from cards k join gifts g using (organization_id, environment, gift_id)
     where ${ofProvider} and g.claimed_at is not null
     for no key update
   ), fact as (
     insert into card_facts (organization_id, environment, gift_id, fact_id, kind, subject_id, amount_cents, merchant, at,
       received_at)
     select organization_id, environment, gift_id, $4,
       case when is_usable and $6 <= left_cents then 'approved' else 'declined' end, $5, $6::integer, $7, $8::timestamptz, $9
     from card
     on conflict do nothing
     returning kind
   ), held as (
     update cards k set held_cents = k.held_cents + $6 from card c
     where k.organization_id = $1 and k.environment = c.environment and k.gift_id = c.gift_id
       and exists (select from fact where kind = 'approved')
   )
   select c.environment, c.gift_id, f.kind from card c left join fact f on true where c.organization_id = $1`,
);

export const selectFactKind = statement<[...OfGift, factId: string], { kind: string }>(
  'card_facts.select_kind',
  `select kind from card_facts where organization_id = $1 and environment = $2 and gift_id = $3 and fact_id = $4`,
);
