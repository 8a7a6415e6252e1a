import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { addSpending, spentInWindow } from './statement-parts.ts';

type Owner = [organizationId: string, environment: Environment];
/**
 * `order` and `life` (all orders) have no window; `recipient` is a day of one recipient. Keys have hours and days; members and
 * teams have days, months and recipients.
 */
export type Period = 'order' | 'recipient' | 'hour' | 'day' | 'month' | 'life';

interface CapRow {
  holder_id: string;
  period: Period;
  cap_cents: number;
  /** In the window that has begun at the given time; 0 for `order` and `recipient`. */
  spent_cents: number;
}

/** With the starts of the hour, the day and the month. */
export const selectCaps = statement<[...Owner, hourStartedAt: Date, dayStartedAt: Date, monthStartedAt: Date], CapRow>(
  'spending_caps.list',
  `select c.holder_id, c.period, c.cap_cents, coalesce(s.spent_cents, 0) as spent_cents
   from spending_caps c
   left join spending s on s.organization_id = $1 and s.environment = c.environment and s.holder = c.holder_id::text
     and s.period = c.period and s.window_started_at >=
       case c.period when 'hour' then $3::timestamptz when 'day' then $4 when 'month' then $5 else 'infinity' end
   where c.organization_id = $1 and c.environment = $2`,
);

/** The keys of an environment by the first of those that they replaced. */
export const selectHolders = statement<
  [...Owner, now: Date],
  { key_id: string; holder_id: string; name: string; hint: string; is_active: boolean }
>(
  'spending_caps.list_holders',
  `select key_id, coalesce(first_key_id, key_id) as holder_id, name, hint,
     revoked_at is null and (expires_at > $3) is not false as is_active
   from api_keys where organization_id = $1 and environment = $2 and grant_id is null order by key_id`,
);

/** Members who are active, and teams, by name. */
export const selectMemberHolders = statement<
  [organizationId: string],
  { holder_id: string; kind: 'mem' | 'team'; name: string }
>(
  'spending_caps.list_member_holders',
  `select member_id as holder_id, 'mem' as kind, email as name from members
   where organization_id = $1 and deactivated_at is null
   union all
   select team_id, 'team', name from teams where organization_id = $1
   order by kind, name`,
);

type OneCap = [...Owner, holderId: string, period: Period];

export const selectCapsOfHolder = statement<[...Owner, holderId: string], { period: Period; cap_cents: number }>(
  'spending_caps.select_of_holder',
  `select period, cap_cents from spending_caps where organization_id = $1 and environment = $2 and holder_id = $3`,
);

export const setCap = statement<[...OneCap, capCents: number]>(
  'spending_caps.set',
  `insert into spending_caps (organization_id, environment, holder_id, period, cap_cents) values ($1, $2, $3, $4, $5)
   on conflict (organization_id, environment, holder_id, period) do update set cap_cents = excluded.cap_cents`,
);

export const deleteCap = statement<OneCap>(
  'spending_caps.delete',
  `delete from spending_caps where organization_id = $1 and environment = $2 and holder_id = $3 and period = $4`,
);

export const deleteCaps = statement<[organizationId: string, holderId: string], { period: Period }>(
  'spending_caps.delete_of_holder',
  `delete from spending_caps
   where organization_id = $1 and environment in ('live', 'sandbox') and holder_id = $2
   returning period`,
);

/** Counts what was spent since the window began, from the orders themselves. @param firstId below the window's ids */
export const countSpending = statement<[...OneCap, windowStartedAt: Date, firstId: string]>(
  'spending.count',
  `insert into spending (organization_id, environment, holder, period, window_started_at, spent_cents)
   select $1, $2, $3::uuid::text, $4, $5, coalesce(sum(o.amount_cents), 0)
   from orders o
   left join api_keys k on k.organization_id = o.organization_id and k.key_id = o.key_id
   left join members m on m.organization_id = o.organization_id and m.member_id = o.sender_member_id
   where o.organization_id = $1 and o.environment = $2 and o.order_id > $6 and o.created_at >= $5
     and $3 in (o.organization_id, k.key_id, k.first_key_id, o.sender_member_id, m.team_id)
   on conflict (organization_id, environment, holder, period) do update
     set window_started_at = excluded.window_started_at, spent_cents = excluded.spent_cents`,
);

/** Counts all that a grant ever ordered. */
export const countLife = statement<[...Owner, grantId: string]>(
  'spending.count_life',
  `insert into spending (organization_id, environment, holder, period, window_started_at, spent_cents)
   select $1, $2, $3::uuid::text, 'life', 'infinity', coalesce(sum(amount_cents), 0)
   from orders where organization_id = $1 and environment = $2 and grant_id = $3
   on conflict (organization_id, environment, holder, period) do update set spent_cents = excluded.spent_cents`,
);

/** The cap of the grant whose token this is the hash of, on one recipient's day. */
export const selectCapsOnRecipient = statement<
  [...Owner, keyHash: Buffer | null],
  { of: 'recipient' | 'agent_recipient'; holder: string; cap_cents: number }
>(
  'spending_caps.list_on_recipient',
  `select 'agent_recipient' as of, concat(c.holder_id, ' ') as holder, c.cap_cents
   from api_keys k
   join spending_caps c on c.organization_id = $1 and c.environment = $2 and c.holder_id = k.grant_id
     and c.period = 'recipient'
   where k.organization_id = $1 and k.hash = $3`,
);

/** Adds an amount, which is within the cap, to a recipient's day. Returns no row if the sum would exceed the cap. */
export const addToDay = statement<
  [...Owner, holder: string, dayStartedAt: Date, amountCents: number, capCents: number],
  { spent_cents: number }
>(
  'spending.add_to_day',
  `${addSpending(`values ($1, $2, $3, 'day', $4, $5)`)}
     where ${spentInWindow} <= $6
   returning spent_cents`,
);

export const deleteSpendingOf = statement<[organizationId: string, holder: string]>(
  'spending.delete_of',
  // A grant's counter of the recipient ends with the hash.
  `delete from spending
   where organization_id = $1 and (holder = $2::text or right(holder, length($2) + 1) = concat(' ', $2))`,
);

export const deleteSpendingBefore = statementOnEachShard<[time: Date, timeOfMonths: Date]>(
  'spending.delete_before',
  'counters of every organization are deleted when their windows are over',
  `delete from spending
   where window_started_at < $1::timestamptz and (period <> 'month' or window_started_at < $2::timestamptz)`,
);
