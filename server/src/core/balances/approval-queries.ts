import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

export interface ApprovalRow {
  organization_id: string;
  approval_id: string;
  environment: Environment;
  kind: 'funding' | 'adjustment';
  amount_cents: number;
  reference: string | null;
  note: string | null;
  state: 'waiting' | 'approved' | 'declined';
  requested_by: string;
  created_at: Date;
  decided_by: string | null;
  entry_id: string | null;
}

const columns = `organization_id, approval_id, environment, kind, amount_cents, reference, note, state, requested_by,
  created_at, decided_by, entry_id`;

type NewApproval = [
  organizationId: string,
  approvalId: string,
  environment: Environment,
  kind: 'funding' | 'adjustment',
  amountCents: number,
  reference: string | null,
  note: string | null,
  requestedBy: string,
  createdAt: Date,
];

/** Returns no row if a request with this reference waits or was approved. */
export const insertApproval = statement<NewApproval, ApprovalRow>(
  'approvals.insert',
  `insert into approvals (organization_id, approval_id, environment, kind, amount_cents, reference, note, state,
     requested_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9)
   on conflict (organization_id, environment, reference) where state <> 'declined' do nothing
   returning ${columns}`,
);

export const selectApprovalByReference = statement<
  [organizationId: string, environment: Environment, reference: string],
  ApprovalRow
>(
  'approvals.select_by_reference',
  `select ${columns} from approvals
   where organization_id = $1 and environment = $2 and reference = $3 and state <> 'declined'`,
);

/** The requests that wait, oldest first. */
export const selectWaitingApprovals = statement<[organizationId: string], ApprovalRow>(
  'approvals.list_waiting',
  `select ${columns} from approvals where organization_id = $1 and state = 'waiting' order by approval_id`,
);

export const selectApprovalOrganization = statementOnEachShard<[approvalId: string], { organization_id: string }>(
  'approvals.select_organization',
  'the operator names a request by its id alone',
  'select organization_id from approvals where approval_id = $1',
);

/** Returns a row to the first decision only. */
export const decideApproval = statement<
  [
    organizationId: string,
    approvalId: string,
    state: 'approved' | 'declined',
    decidedBy: string,
    decidedAt: Date,
    entryId: string | null,
  ],
  ApprovalRow
>(
  'approvals.decide',
  `update approvals set state = $3, decided_by = $4, decided_at = $5, entry_id = $6
   where organization_id = $1 and approval_id = $2 and state = 'waiting'
   returning ${columns}`,
);

/** Locks the request until the end of the transaction, so that of two decisions one is made. */
export const lockApproval = statement<[organizationId: string, approvalId: string], ApprovalRow>(
  'approvals.lock',
  `select ${columns} from approvals where organization_id = $1 and approval_id = $2 for update`,
);
