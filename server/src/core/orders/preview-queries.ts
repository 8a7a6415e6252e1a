import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { isInReach } from '../../platform/authentication/grant-rules.ts';
import { statement } from '../../platform/database/statement.ts';
import type { ExceededCap } from '../caps/cap-refusal.ts';
import { categoryWithoutIssuer } from '../issuer/without-issuer.ts';
import { capsOnRecipients, grantRefusal, grantTerms, windowStart } from './grant-queries.ts';
import { attributedMember } from './order-expressions.ts';
import type { GrantRefusal } from './placement.ts';

/** A cap that an order counts for, in the window that has begun. As JSON, so times are texts. */
export interface PreviewedCap extends ExceededCap {
  spent_cents: number;
  /** What the order would add. */
  amount_cents: number;
}

interface PreviewRow extends CallerRow {
  is_configured: boolean;
  /** All gifts of the organization are on hold. */
  is_held: boolean;
  /** The order that has the external id: its UUID, or null if the agent does not see it. */
  external_id_taken_by: { order_id: string | null } | null;
  /** Position of the first gift with an unknown or retired category. */
  unknown_category_position: number | null;
  grant_refusal: GrantRefusal | null;
  without_issuer: string | null;
  ask_above_cents: number | null;
  balance_cents: number;
  caps: PreviewedCap[];
}

type OrderColumns = [
  amountCents: number,
  categories: string[],
  recipients: string | null,
  externalId: string | null,
  now: Date,
  /** Of an agent's order, as in its record. */
  addresses: readonly (string | null)[] | null,
  needsIssuer: boolean,
];

/** What the statement that places orders would find, read without a lock. */
export const selectPreview = statement<[...CallerParameters, ...OrderColumns], PreviewRow>(
  'orders.preview',
  `with ${caller({
    needs: 'order',
    columns: `${attributedMember('$1')}, coalesce(k.first_key_id, k.key_id) as first_key_id, o.gifts_held_at is not null as is_held, ${grantTerms}`,
  })},
   cap as (
     select case c.holder_id when $1::uuid then 'organization' when (select grant_id from caller) then 'agent' else 'key' end as of,
       c.holder_id::text as holder, c.period, c.cap_cents, $4::bigint as amount_cents
     from spending_caps c
     where c.organization_id = $1 and c.environment = $2
       and c.holder_id in ($1, (select first_key_id from caller)) and c.period <> 'recipient'
     union all
     select r.of, r.holder, 'day', r.cap_cents, r.amount_cents
     from (${capsOnRecipients('$6::json', {
       organizationId: '$1',
       environment: '$2',
       holders: { agent: '(select grant_id from caller)' },
     })}) r
   )
   select ${callerColumns}, caller.ask_above_cents, caller.member_id is not null as is_configured, caller.is_held,
     case when $7::text is not null then (
       select json_build_object('order_id', case when ${isInReach('o')} then o.order_id end)
       from orders o where o.organization_id = $1 and o.environment = $2 and o.external_id = $7 limit 1
     ) end as external_id_taken_by,
     (select min(c.ordinality)::integer - 1 from unnest($5::text[]) with ordinality as c (category_id, ordinality)
      where not exists (select from categories k where k.category_id = c.category_id and k.retired_at is null)
     ) as unknown_category_position,
     ${grantRefusal({ caller: 'caller', organizationId: '$1', environment: '$2', categories: '$5::text[]', addresses: '$9::text[]' })}
       as grant_refusal,
     case when $10::boolean then ${categoryWithoutIssuer('$1', '$5::text[]')} end as without_issuer,
     case when b.owed_cents > 0 then 0 else coalesce(b.balance_cents, 0) end as balance_cents,
     (select coalesce(json_agg(json_build_object('of', w.of, 'period', w.period, 'cap_cents', w.cap_cents,
         'amount_cents', w.amount_cents, 'window_started_at', w.window_started_at,
         'spent_cents', coalesce(s.spent_cents, 0)) order by w.period desc, w.of), '[]')
      from (select *, ${windowStart('period', '$8::timestamptz')} as window_started_at from cap) w
      left join spending s on s.organization_id = $1 and s.environment = $2
        and s.holder = w.holder and s.period = w.period and s.window_started_at >= w.window_started_at
     ) as caps
   from caller
   left join balances b on b.organization_id = $1 and b.environment = $2`,
);
