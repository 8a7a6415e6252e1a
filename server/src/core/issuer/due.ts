import { shownCategory } from '../catalog/any-category.ts';

/** What gifts on cards of the issuer `i` may still spend. */
const unspentCents = `coalesce((
     select sum(g.amount_cents - g.spent_cents) from cards k join gifts g using (organization_id, environment, gift_id)
     where k.organization_id = i.organization_id and k.issuer_id = i.issuer_id and k.state in ('inactive', 'active')
   ), 0)::bigint`;

/** What the live gifts are worth that will be claimed with the issuer `i`, if its choice stays. */
const unclaimedCents = `coalesce((
     select sum(g.amount_cents) from gifts g
     where g.organization_id = i.organization_id and g.environment = 'live' and g.claimed_at is null
       and g.canceled_at is null and i.removed_at is null and case when i.category_id is null then not exists (
         select from issuers o where o.organization_id = i.organization_id and o.removed_at is null
           and o.category_id = ${shownCategory('g')})
         else ${shownCategory('g')} = i.category_id end
   ), 0)::bigint`;

/**
 * What the balance of the issuer `i` has to pay yet: purchases of its cards, or claims.
 *
 * @param paidAtClaim the parameter with the kinds whose balance pays when a gift is claimed
 */
export const dueCents = (paidAtClaim: '$2' | '$7') =>
  `case when i.kind = any (${paidAtClaim}::text[]) then ${unclaimedCents} else ${unspentCents} end`;
