import { mayReceive } from '../../platform/authentication/grant-rules.ts';

// SQL expressions about an agent's grant, for the statements that preview and place orders.

/** Columns of a caller that `grantRefusal` reads. */
export const grantTerms =
  'a.grant_id, a.recipient_domains, a.members_only, a.categories as granted_categories, a.ask_above_cents,';

interface Order {
  /** Alias of the caller. */
  caller: string;
  organizationId: string;
  environment: string;
  /** The category of each gift. */
  categories: string;
  /** The address of each gift; null for a link gift. */
  addresses: string;
}

/** What a grant does not include: JSON of the first such gift's position and the rule; null for nothing, and for API keys. */
export const grantRefusal = ({ caller, organizationId, environment, categories, addresses }: Order) =>
  `case when ${caller}.grant_id is not null then (
        select json_build_object('position', w.position, 'rule', w.rule)
        from (
          select g.ordinality - 1 as position, case
              when g.category_id <> all (${caller}.granted_categories) then 'category'
              when (${mayReceive(caller, organizationId, 'g.address')}) is not true then 'recipient'
              when g.address is null and exists (
                select from spending_caps s
                where s.organization_id = ${organizationId} and s.environment = ${environment}
                  and s.holder_id = ${caller}.grant_id and s.period = 'recipient'
              ) then 'link'
            end as rule
          from unnest(${categories}, ${addresses}) with ordinality as g (category_id, address, ordinality)
        ) w
        where w.rule is not null order by w.position limit 1
      ) end`;

/**
 * Whether an agent's order needs the approval of a person, and is not the order of an approval under way; null for API keys.
 * An order that waited for approval still needs it, even if the amount was changed since.
 */
export const needsApproval = (caller: string, organizationId: string, order: string) =>
  `case when ${caller}.grant_id is not null then coalesce((
        select q.state <> 'approving' or q.claim_id is distinct from (${order}.placed_by ->> 'claim_id')::uuid
        from gift_requests q
        where q.organization_id = ${organizationId} and q.environment = ${order}.environment
          and q.order_key = ${order}.idempotency_key and q.grant_id = ${caller}.grant_id
      ), ${order}.amount_cents > ${caller}.ask_above_cents, false) end`;

/**
 * When the window of a cap's period began. Those on an order and on a grant's life have none: `infinity`, because counters of
 * old windows are deleted, also by the release before.
 */
export const windowStart = (period: string, at: string) =>
  `case when ${period} in ('hour', 'day') then date_trunc(${period}::text, ${at}, 'UTC') else 'infinity'::timestamptz end`;

/**
 * Query: the caps that a day's gifts to each recipient count for, from RecipientRecord[] as JSON: that of the configuration,
 * and that of a grant.
 */
export const capsOnRecipients = (
  recipients: string,
  { organizationId, environment, grantId }: { organizationId: string; environment: string; grantId: string },
) => `select 'recipient' as of, r.holder, r.cap_cents, r.amount_cents
        from json_to_recordset(${recipients}) as r (holder text, cap_cents bigint, amount_cents bigint)
        where r.cap_cents is not null
        union all
        select 'agent_recipient', concat(s.holder_id, ' ', r.holder), s.cap_cents, r.amount_cents
        from spending_caps s, json_to_recordset(${recipients}) as r (holder text, amount_cents bigint)
        where s.organization_id = ${organizationId} and s.environment = ${environment} and s.holder_id = ${grantId}
          and s.period = 'recipient'`;
