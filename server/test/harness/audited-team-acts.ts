import { setApprovalRule } from '../../src/core/approvals/approval-rules.ts';
import { setMemberLimits } from '../../src/core/caps/member-limits.ts';
import { removeTeam } from '../../src/core/caps/remove-team.ts';
import { addMember } from '../../src/core/organizations/add-member.ts';
import { setTeam } from '../../src/core/organizations/set-team.ts';
import { createTeam, renameTeam } from '../../src/core/organizations/teams.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

async function addTeam(deps: AllDeps, { organizationUuid: organizationId }: TestOrganization): Promise<string> {
  return (await createTeam(deps, { organizationId, name: 'Sales', actor: OPERATOR })).team_id;
}

async function addApprover(deps: AllDeps, { organizationId }: TestOrganization): Promise<string> {
  const member = { organizationId, email: 'bob@example.com', role: 'approver', actor: OPERATOR } as const;
  return (await addMember(deps, member)).member_id;
}

type TeamAction = Extract<Action, `team.${string}` | 'member.team_set' | 'limits.set' | `approval_rule.${string}`>;

/** Teams of members, their limits, and what waits for an approval. */
export const auditedTeamActs: Record<TeamAction, AuditedAct> = {
  'team.created': {
    act: (deps, { organizationUuid: organizationId }, actor) =>
      createTeam(deps, { organizationId, name: 'Sales', actor }),
    target: 'team_',
    environment: null,
    sentence: 'Created the team “Sales”',
  },
  'team.renamed': {
    prepare: addTeam,
    act: (deps, { organizationUuid: organizationId }, actor, teamId) =>
      renameTeam(deps, { organizationId, teamId, name: 'Field sales', actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Renamed the team “Sales” to “Field sales”',
  },
  'team.removed': {
    prepare: addTeam,
    act: (deps, { organizationUuid: organizationId }, actor, teamId) =>
      removeTeam(deps, { organizationId, teamId, actor }),
    target: 'prepared',
    environment: null,
    sentence: 'Removed the team “Sales”',
  },
  'member.team_set': {
    prepare: addTeam,
    act: (deps, { organizationId, memberId }, actor, teamId) =>
      setTeam(deps, { organizationId, memberId, teamId, actor }),
    target: 'mem_',
    environment: null,
    sentence: 'Put admin@example.com into the team “Sales”',
  },
  'limits.set': {
    prepare: addTeam,
    act: (deps, { organizationUuid: organizationId }, actor, holderId) => {
      const amounts = { day: null, month: 100_000, recipient: 5_000 };
      return setMemberLimits(deps, { organizationId, environment: 'sandbox', holderId, amounts, actor });
    },
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Set the limits of Sales: at most 50.00 USD a recipient and day, 1,000.00 USD a month',
  },
  'approval_rule.set': {
    prepare: addApprover,
    act: (deps, organization, actor, approverId) =>
      setRule(deps, organization, actor, 20_000, [organization.memberId, approverId]),
    target: null,
    environment: null,
    sentence: 'Required 2 approvals by admin@example.com, bob@example.com for orders of members above 200.00 USD',
  },
  'approval_rule.asked': {
    async prepare(deps, organization) {
      const approverId = await addApprover(deps, organization);
      await setRule(deps, organization, OPERATOR, 20_000, [organization.memberId, approverId]);
      return approverId;
    },
    act: (deps, organization, actor) => setRule(deps, organization, actor, null, []),
    target: null,
    environment: null,
    sentence: 'Asked another person to confirm this: Removed the approval rule for orders of members',
  },
};

const setRule = (
  deps: AllDeps,
  { organizationUuid: organizationId }: TestOrganization,
  actor: Actor,
  above: number | null,
  approvers: string[],
) => setApprovalRule(deps, { organizationId, member_id: null, above, approvals: 2, approvers, actor });
