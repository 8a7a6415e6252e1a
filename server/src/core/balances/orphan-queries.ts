import { bookCheck, wholeCheck } from './book-check-queries.ts';

// Rows without what they belong to. PostgreSQL does not check it, because each is written with it, or after reading it.

/** Finds orders whose key or member does not exist. */
export const unownedOrders = bookCheck(
  'ledger.select_unowned_orders',
  `select o.organization_id, o.environment, o.order_id as subject_id, 'a key and a member' as expected,
     case when m.member_id is null then 'no such member' else 'no such key' end as found, count(*) over () as total
   from orders o
   left join api_keys k on k.organization_id = o.organization_id and k.key_id = o.key_id
   left join members m on m.organization_id = o.organization_id and m.member_id = o.member_id
   where m.member_id is null or o.key_id is not null and k.key_id is null
   order by o.organization_id, o.environment, o.order_id limit $1`,
);

const ofGift = {
  deliveries: 'the gift of a message',
  cards: 'the gift of a card',
  card_facts: 'the gift of a card’s fact',
  card_purchases: 'the gift of a purchase',
  card_proofs: 'the gift of a proof',
} as const;

/** Finds gifts without their order or category, and messages and cards without their gift. */
export const orphans = wholeCheck(
  'ledger.select_orphans',
  `select organization_id, environment, gift_id as subject_id, expected, 'none' as found, count(*) over () as total
   from (
     select g.organization_id, g.environment, g.gift_id,
       case when o.order_id is null then 'an order' else 'a category' end as expected
     from gifts g
     left join orders o on o.organization_id = g.organization_id and o.environment = g.environment and o.order_id = g.order_id
     left join categories c on c.category_id = g.category_id
     where o.order_id is null or c.category_id is null
     ${Object.entries(ofGift)
       .map(
         ([table, expected]) => `union all
     select t.organization_id, t.environment, t.gift_id, '${expected}'
     from ${table} t
     left join gifts g on g.organization_id = t.organization_id and g.environment = t.environment and g.gift_id = t.gift_id
     where g.gift_id is null`,
       )
       .join('\n     ')}
   ) orphan
   order by organization_id, environment, gift_id limit $1`,
);
