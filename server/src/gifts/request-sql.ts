// Parts of statements about requests for gifts, which `approvals` decides and `gifts` erases.

/** The order that an approval placed, also one that a crash kept from being noted. */
export const orderOf = (organization: string): string =>
  `(select o.order_id from orders o where o.organization_id = ${organization} and o.environment = r.environment
       and o.idempotency_key = r.order_key)`;

/**
 * Query for `appendEvents`: the ends of agents' requests.
 *
 * @param ended CTE or table of requests that ended
 */
export const factsOfEnded = (ended: string, condition = 'true'): string =>
  `select r.organization_id, r.environment, 'order_request.' || r.state as type, r.order_id, null::uuid as gift_id,
       jsonb_build_object('request_id', r.request_id) as data, r.decided_at as created_at,
       row_number() over (order by r.request_id) as position
     from ${ended} r where r.grant_id is not null and ${condition}`;

/** What a decided request holds no more. */
export const forgotten = 'gift = null, address = null, claim_id = null';
