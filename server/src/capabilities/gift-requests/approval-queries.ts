import { statement } from '../../platform/database/statement.ts';
import type { OneRequest, RequestRow } from './queries.ts';
import { approvalColumns, deciders, mayDecide, withRule } from './statement-parts.ts';

interface DecidedRow {
  state: RequestRow['state'];
  /** Whether the member decides it. */
  may_decide: boolean;
  is_own: boolean;
}

/** Locks a request, so that two approvals at once see each other. */
export const lockForDecision = statement<OneRequest, { request_id: string }>(
  'gift_requests.lock_for_decision',
  `select request_id from gift_requests where organization_id = $1 and environment = $2 and request_id = $3
   for no key update`,
);

export const selectDecision = statement<[...OneRequest, memberId: string], DecidedRow>(
  'gift_requests.select_decision',
  `select r.state, r.member_id is not distinct from $4 as is_own, ${mayDecide('$4')} as may_decide
   from gift_requests r ${withRule}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3`,
);

/** Returns no row if the member has approved it. */
export const insertApproval = statement<[...OneRequest, memberId: string, now: Date], { member_id: string }>(
  'gift_request_approvals.insert',
  `insert into gift_request_approvals (organization_id, environment, request_id, member_id, approved_at)
   values ($1, $2, $3, $4, $5) on conflict do nothing returning member_id`,
);

export const selectApprovals = statement<
  OneRequest,
  { approvals_needed: number; approved_by: string[]; amount_cents: number; agent_name: string | null }
>(
  'gift_request_approvals.select',
  `select ${approvalColumns}, r.amount_cents,
     (select a.name from agent_grants a where a.organization_id = $1 and a.grant_id = r.grant_id) as agent_name
   from gift_requests r ${withRule}
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3`,
);

/** The addresses of those who decide a request, without the member who asked. */
export const selectDeciders = statement<OneRequest, { email: string }>(
  'gift_requests.select_deciders',
  `select d.email from gift_requests r ${withRule} cross join lateral (${deciders}) d
   where r.organization_id = $1 and r.environment = $2 and r.request_id = $3 and d.member_id is distinct from r.member_id
   order by d.email`,
);
