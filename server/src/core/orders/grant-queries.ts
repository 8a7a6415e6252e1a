import { mayReceive } from '../../platform/authentication/grant-rules.ts';

// SQL expressions about what an agent's grant or a member's limits allow, for the statements that preview and place orders.

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
  /** Alias of the member who sends the order, with its columns `member_id` and `team_id`; undefined: no member does. */
  sender?: string;
}

const firstRefused = (rule: string, { categories, addresses }: Pick<Order, 'categories' | 'addresses'>) => `(
        select json_build_object('position', w.position, 'rule', w.rule)
        from (
          select g.ordinality - 1 as position, ${rule} as rule
          from unnest(${categories}, ${addresses}) with ordinality as g (category_id, address, ordinality)
        ) w
        where w.rule is not null order by w.position limit 1
      )`;

/** A limit for each recipient counts addresses, so its holder sends no link gifts. */
const hasRecipientCap = (
  { organizationId, environment }: Pick<Order, 'organizationId' | 'environment'>,
  holders: string,
) =>
  `exists (
                select from spending_caps l
                where l.organization_id = ${organizationId} and l.environment = ${environment}
                  and l.holder_id in (${holders}) and l.period = 'recipient'
              )`;

/** What a grant or a member's limits do not include: JSON of the first such gift's position and the rule; null for nothing. */
export const grantRefusal = ({ caller, sender, ...order }: Order) =>
  `case when ${caller}.grant_id is not null then ${firstRefused(
    `case
              when g.category_id <> all (${caller}.granted_categories) then 'category'
              when (${mayReceive(caller, order.organizationId, 'g.address')}) is not true then 'recipient'
              when g.address is null and ${hasRecipientCap(order, `${caller}.grant_id`)} then 'link'
            end`,
    order,
  )}
      ${
        sender === undefined
          ? ''
          : `when ${sender}.member_id is not null then ${firstRefused(
              `case when g.address is null and ${hasRecipientCap(order, `${sender}.member_id, ${sender}.team_id`)} then 'link' end`,
              order,
            )}`
      }
      end`;

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

/** SQL expressions of the ids of those whose caps an order counts for, by what they are. */
type Holders = Partial<Record<'organization' | 'agent' | 'member' | 'team', string>>;

export const holderOf = (holder: string, holders: Holders) =>
  `case ${holder} ${Object.entries(holders)
    .map(([of, id]) => `when ${id} then '${of}'`)
    .join(' ')} else 'key' end`;

/**
 * When the window of a cap's period began. Those on an order and on a grant's life have none: `infinity`, because counters of
 * old windows are deleted, also by the release before.
 */
export const windowStart = (period: string, at: string) =>
  `case when ${period} in ('hour', 'day', 'month') then date_trunc(${period}::text, ${at}, 'UTC') else 'infinity'::timestamptz end`;

/**
 * Query: the caps that a day's gifts to each recipient count for, from RecipientRecord[] as JSON: that of the configuration,
 * and those of a grant, a member and a team.
 */
export const capsOnRecipients = (
  recipients: string,
  { organizationId, environment, holders }: { organizationId: string; environment: string; holders: Holders },
) => `select 'recipient' as of, r.holder, r.cap_cents, r.amount_cents
        from json_to_recordset(${recipients}) as r (holder text, cap_cents bigint, amount_cents bigint)
        where r.cap_cents is not null
        union all
        select ${holderOf('s.holder_id', holders)} || '_recipient', concat(s.holder_id, ' ', r.holder), s.cap_cents, r.amount_cents
        from spending_caps s, json_to_recordset(${recipients}) as r (holder text, amount_cents bigint)
        where s.organization_id = ${organizationId} and s.environment = ${environment}
          and s.holder_id in (${Object.values(holders).join(', ')}) and s.period = 'recipient'`;
