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
