import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

export interface AgeRow {
  organization_id: string;
  name: string;
  kind: 'unclaimed' | 'unspent';
  /** Index of the age. */
  age: number;
  gifts: number;
  amount_cents: number;
}

/** SQL query: live money of gifts by age. `firstDays`: parameter with the first day of each age but the youngest. */
const aging = (condition: string, now: string, firstDays: string) =>
  `select o.organization_id, o.name, left_over.kind, left_over.age, count(*)::integer as gifts,
     sum(left_over.cents)::bigint as amount_cents
   from (
     select g.organization_id, case when g.claimed_at is null then 'unclaimed' else 'unspent' end as kind,
       g.amount_cents - g.spent_cents as cents,
       width_bucket(extract(epoch from ${now}::timestamptz - coalesce(g.claimed_at, g.created_at)) / 86400,
         ${firstDays}::numeric[]) as age
     from gifts g
     where ${condition} and g.environment = 'live' and g.canceled_at is null and g.spent_cents < g.amount_cents
   ) left_over join organizations o using (organization_id)
   group by o.organization_id, o.name, left_over.kind, left_over.age
   order by o.organization_id, left_over.kind, left_over.age`;

export const selectAging = statementOnEachShard<[now: Date, firstDays: readonly number[]], AgeRow>(
  'reports.select_aging',
  'the operator asks for every organization',
  aging('true', '$1', '$2'),
);

export const selectAgingOf = statement<[organizationId: string, now: Date, firstDays: readonly number[]], AgeRow>(
  'reports.select_aging_of',
  aging('g.organization_id = $1', '$2', '$3'),
);

interface RecipientTotalRow {
  /** In lower case; null for link gifts. */
  recipient: string | null;
  /** The latest. */
  recipient_name: string | null;
  gifts: number;
  amount_cents: number;
}

/** Largest first. Gifts without an address are summed without a lower bound. */
export const selectRecipientTotals = statement<
  [organizationId: string, from: Date, to: Date, fromCents: number, erasedAddress: string],
  RecipientTotalRow
>(
  'reports.select_recipient_totals',
  `select ${foldAddress('address')} as recipient,
     (array_agg(recipient_name order by claimed_at desc, gift_id desc) filter (where recipient_name is not null))[1] as recipient_name,
     count(*)::integer as gifts, sum(amount_cents)::bigint as amount_cents
   from gifts
   where organization_id = $1 and environment = 'live' and claimed_at >= $2 and claimed_at < $3
   group by ${foldAddress('address')}
   having sum(amount_cents) >= $4 or coalesce(${foldAddress('address')}, $5) = $5
   order by sum(amount_cents) desc, ${foldAddress('address')}`,
);
