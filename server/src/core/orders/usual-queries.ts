import { isAdmitted } from '../../platform/authentication/caller.ts';
import { usualGifts } from '../gifts/place/statement-parts.ts';
import { hasIssuerOfAll } from '../issuer/without-issuer.ts';
import { attributedMember, expiresAt } from './order-expressions.ts';
import { placementOf, presented, takenBy } from './placement-queries.ts';

/**
 * Places a group of usual orders in one statement and one commit: those by an API key that no agent has, under no cap, of
 * gifts that are sent at once. An order that it cannot decide is `unusual`, and `placeAnyOrders` decides it.
 */
export const placeUsualOrders = placementOf(
  'orders.place',
  {
    caller: `select k.key_id, o.name as organization_name, o.unclaimed_after_days, o.gifts_held_at,
        ${attributedMember('r.organization_id')}
      from organizations o join api_keys k on k.organization_id = r.organization_id and k.hash = r.key_hash
      where o.organization_id = r.organization_id and ${isAdmitted(presented)}
      limit 1`,
    ifNotAdmitted: `when c.key_id is null then 'unusual'`,
    refusals: `when r.is_refused or c.member_id is null or c.gifts_held_at is not null or ${takenBy} is not null
          or not r.categories <@ array(select category_id from categories where retired_at is null)
          or (r.needs_issuer and not ${hasIssuerOfAll('c.organization_id')}) then 'unusual'`,
    member: 'member_id',
    fits: 'not is_capped',
    ifNotFitting: `when c.is_capped then 'unusual'`,
    gifts: {
      columns: usualGifts.columns,
      names: `link_expires_at, delivery_state, ${usualGifts.names}`,
      values: `${expiresAt('p')}, coalesce(g.sender_name, p.organization_name), p.link_expires_at,
        case when g.delivery_id is not null then 'pending'::delivery_state end, ${usualGifts.ofGift}`,
      grant: 'null',
    },
    created: `'{"status": "processed"}'`,
    answer: `'admitted' as caller_state, null as permissions, true as reaches_all`,
  },
  (gift) => ({
    gift_id: gift.gift_id,
    position: gift.position,
    delivery_id: gift.delivery_id ?? undefined,
    amount_cents: gift.amount_cents,
    category_id: gift.category_id,
    method: gift.method,
    address: gift.address ?? undefined,
    recipient_name: gift.recipient_name ?? undefined,
    sender_name: gift.sender_name ?? undefined,
    message: gift.message ?? undefined,
    language: gift.language,
    external_id: gift.external_id,
    metadata: gift.metadata,
  }),
);
