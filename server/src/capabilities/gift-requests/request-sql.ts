// Parts of statements about requests for gifts, which are decided and erased.

/** The order that an approval placed, also one that a crash kept from being noted. */
export const orderOf = (organization: string): string =>
  `(select o.order_id from orders o where o.organization_id = ${organization} and o.environment = r.environment
       and o.idempotency_key = r.order_key)`;

/** What a decided request holds no more. */
export const forgotten = 'gift = null, address = null, claim_id = null';
