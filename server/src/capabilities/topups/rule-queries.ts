import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

export interface RuleRow {
  is_on: boolean;
  threshold_cents: number;
  method: 'fixed' | 'target';
  amount_cents: number;
  monthly_cap_cents: number;
  payment_method_id: string;
  card: string;
  failures: number;
  not_before: Date | null;
  off_reason: 'failures' | 'dispute' | null;
}

const columns = `is_on, threshold_cents, method, amount_cents, monthly_cap_cents, payment_method_id, card, failures,
  not_before, off_reason`;

export const selectRule = statement<[organizationId: string], RuleRow>(
  'automatic_topups.select',
  `select ${columns} from automatic_topups where organization_id = $1`,
);

/** Locks it against simultaneous triggers, and reads what has been charged since. */
export const lockRule = statement<
  [organizationId: string, monthStartedAt: Date],
  RuleRow & { balance_cents: number; charged_cents: number; is_under_way: boolean; is_suspended: boolean }
>(
  'automatic_topups.lock',
  `select ${columns},
     coalesce((select b.balance_cents - b.owed_cents from balances b
       where b.organization_id = $1 and b.environment = 'live'), 0)::bigint as balance_cents,
     coalesce((select sum(t.amount_cents) from topups t where t.organization_id = $1 and t.kind = 'automatic'
       and t.state not in ('failed', 'canceled') and t.created_at >= $2), 0)::bigint as charged_cents,
     exists (select from topups t where t.organization_id = $1 and t.kind = 'automatic'
       and t.state in ('pending', 'processing', 'action_required')) as is_under_way,
     exists (select from organizations o where o.organization_id = $1 and o.suspended_at is not null) as is_suspended
   from automatic_topups where organization_id = $1 for update`,
);

export const setRule = statement<
  [
    organizationId: string,
    thresholdCents: number,
    method: 'fixed' | 'target',
    amountCents: number,
    monthlyCapCents: number,
    paymentMethodId: string,
    card: string,
  ]
>(
  'automatic_topups.set',
  `insert into automatic_topups (organization_id, is_on, threshold_cents, method, amount_cents, monthly_cap_cents,
     payment_method_id, card)
   values ($1, true, $2, $3, $4, $5, $6, $7)
   on conflict (organization_id) do update set is_on = true, threshold_cents = $2, method = $3, amount_cents = $4,
     monthly_cap_cents = $5, payment_method_id = $6, card = $7, failures = 0, not_before = null, off_reason = null`,
);

/** Returns no row if it was off. */
export const switchRuleOff = statement<
  [organizationId: string, reason: 'failures' | 'dispute' | null],
  { organization_id: string }
>(
  'automatic_topups.switch_off',
  `update automatic_topups set is_on = false, off_reason = $2 where organization_id = $1 and is_on
   returning organization_id`,
);

export const countFailure = statement<[organizationId: string, notBefore: Date], { failures: number; card: string }>(
  'automatic_topups.count_failure',
  `update automatic_topups set failures = failures + 1, not_before = $2 where organization_id = $1
   returning failures, card`,
);

export const forgetFailures = statement<[organizationId: string]>(
  'automatic_topups.forget_failures',
  'update automatic_topups set failures = 0, not_before = null where organization_id = $1',
);

/** Rules whose balance is below their threshold and that are not under way. */
export const selectDueRules = statementOnEachShard<[now: Date, limit: number], { organization_id: string }>(
  'automatic_topups.list_due',
  'every minute looks at every rule',
  `select a.organization_id from automatic_topups a
   left join balances b on b.organization_id = a.organization_id and b.environment = 'live'
   join organizations o on o.organization_id = a.organization_id and o.suspended_at is null
   where a.is_on and coalesce(b.balance_cents - b.owed_cents, 0) < a.threshold_cents
     and (a.not_before is null or a.not_before <= $1)
     and not exists (select from topups t where t.organization_id = a.organization_id and t.kind = 'automatic'
       and t.state in ('pending', 'processing', 'action_required'))
   order by a.organization_id limit $2`,
);
