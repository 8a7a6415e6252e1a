/** What gifts on cards of the issuer `i` may still spend. */
export const unspentCents = `coalesce((
     select sum(g.amount_cents - g.spent_cents) from cards k join gifts g using (organization_id, environment, gift_id)
     where k.organization_id = i.organization_id and k.issuer_id = i.issuer_id and k.state in ('inactive', 'active')
   ), 0)::bigint`;
