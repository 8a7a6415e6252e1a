// Which orders wait for an approval, and the states of the requests that ask for one.

/** Whether an order that was asked for is not the order of an approval under way; null if it was not asked for. */
const isAskedFor = (caller: string, order: string, condition: string) => `(
        select q.state <> 'approving' or q.claim_id is distinct from (${order}.placed_by ->> 'claim_id')::uuid
        from gift_requests q
        where q.organization_id = ${caller}.organization_id and q.environment = ${caller}.environment
          and q.order_key = ${order}.idempotency_key and ${condition}
      )`;

/** Above which amount a member's order waits for an approval, as the member's own rule or else the organization's says. */
export const approvalRuleOf = (organizationId: string, memberId: string) => `(
        select a.above_cents from approval_rules a
        where a.organization_id = ${organizationId} and a.holder_id in (${organizationId}, ${memberId})
        order by a.holder_id = ${organizationId} limit 1
      )`;

/**
 * Whether an order of an agent or a member needs the approval of a person, and is not the order of an approval under way; null
 * for API keys. An order that waited for approval still needs it, even if the amount was changed since. A batch was approved
 * as a whole.
 */
export const needsApproval = (caller: string, order: string) =>
  `case when ${caller}.grant_id is not null then coalesce(
        ${isAskedFor(caller, order, `q.grant_id = ${caller}.grant_id`)},
        ${order}.amount_cents > ${caller}.ask_above_cents, false)
      when ${order}.placed_by ->> 'batch_id' is not null then false
      when ${order}.placed_by is not null then coalesce(
        ${isAskedFor(caller, order, 'q.grant_id is null')},
        ${order}.amount_cents > ${approvalRuleOf(`${caller}.organization_id`, `(${order}.placed_by ->> 'sender_id')::uuid`)}, false)
      end`;

interface NewRequests {
  /** More columns. */
  columns: string;
  /**
   * Query of `organization_id`, `environment`, `request_id`, `order_key`, `amount_cents`, `gift`, `created_at`,
   * `rule_approvals`, `rule_approver_ids`, `state` and the columns, in this order.
   */
  source: string;
}

/** Insert of requests. */
export const insertRequests = ({ columns, source }: NewRequests) =>
  `insert into gift_requests (organization_id, environment, request_id, order_key, amount_cents, gift, created_at,
       rule_approvals, rule_approver_ids, state, ${columns})
     ${source}`;

/** Update that claims requests `r` for one approval, whose order then needs no other. */
export const claimRequests = ({ claimId, decidedBy }: { claimId: string; decidedBy: string }) =>
  `update gift_requests r set state = 'approving', claim_id = ${claimId}, decided_by = ${decidedBy}`;

/** Update that opens claimed requests `r` again. */
export const reopenRequests = `update gift_requests r set state = 'open', claim_id = null, decided_by = null`;

interface Decision {
  state: string;
  at: string;
  /** Each without it stays. */
  orderId?: string;
  decidedBy?: string;
  reason?: string;
}

/** Update that decides requests `r`: what they asked for is forgotten. All are SQL expressions. */
export const endRequests = ({ state, at, orderId, decidedBy, reason }: Decision) =>
  `update gift_requests r set state = ${state}, decided_at = ${at}, gift = null, address = null, claim_id = null${Object.entries(
    {
      order_id: orderId,
      decided_by: decidedBy,
      reason,
    },
  )
    .map(([column, value]) => (value === undefined ? '' : `, ${column} = ${value}`))
    .join('')}`;

/** Update that lets open requests `r` go to another address. @param delivery JSON */
export const moveRequests = ({ delivery, address }: { delivery: string; address: string }) =>
  `update gift_requests r set gift = jsonb_set(r.gift, '{delivery}', ${delivery}), address = ${address}`;

/** Delete of requests `r`. */
export const deleteRequests = 'delete from gift_requests r';
