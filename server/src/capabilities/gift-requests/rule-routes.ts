import { Type } from 'typebox';
import { listApprovalRules, setApprovalRule } from '../../core/approvals/approval-rules.ts';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, nullable, Time } from '../../platform/api/schema.ts';

const PATH = '/organizations/{organization_id}/approval-rules';
const tag = 'Gift requests';

const MemberId = Type.String({ maxLength: 60 });
const Approvals = Type.Union([Type.Literal(1), Type.Literal(2)], { 'x-rule': 'must be 1 or 2' });

const ApprovalRule = Type.Object(
  {
    member_id: nullable(Type.String({ description: 'Null: of all members without an own rule.' })),
    above: Type.Unsafe<number>({ ...Cents, description: 'Orders above it wait, in cents; 0: all.' }),
    approvals: Type.Integer({ description: 'How many persons must approve: one or two.' }),
    approvers: Type.Array(Type.String(), { description: 'Members who decide; none: all whose roles allow it.' }),
  },
  { $id: 'ApprovalRule' },
);

const AskedRule = Type.Object(
  {
    member_id: nullable(Type.String({ description: 'Null: of all members without an own rule.' })),
    above: nullable(Type.Unsafe<number>({ ...Cents, description: 'In cents; null: the rule ends.' })),
    approvals: Type.Integer(),
    approvers: Type.Array(Type.String()),
    asked_by: Type.String({ description: 'The address of who asked.' }),
    asked_at: Time,
  },
  { $id: 'AskedApprovalRule' },
);

const Rules = Type.Object({
  data: Type.Array(ApprovalRule),
  asked: Type.Array(AskedRule, {
    description:
      'Weaker rules of two approvals. Another person confirms one by saving the same; saving the present rule takes it back.',
  }),
});

/** Which orders of members wait for an approval. */
export function addRuleRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listApprovalRules',
      tag,
      summary: 'Which orders of members wait for an approval: the organization’s rule, then those of members.',
      access: 'member',
      response: Rules,
    },
    ({ member }) => listApprovalRules(deps, member.organizationId),
  );

  register(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'setApprovalRule',
      tag,
      summary:
        'Sets the rule of the organization or of a member, in both environments. Without an amount, removes it. A weaker rule of two waits for a second person.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: Type.Object({
        member_id: nullable(MemberId),
        above: Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
          'x-rule': 'must be an amount, or left out for no rule',
        }),
        approvals: Approvals,
        approvers: Type.Array(MemberId, { maxItems: 20, 'x-rule': 'must be a list of at most 20 members' }),
      }),
      response: Rules,
    },
    async ({ body, member: { organizationId, actor } }) => {
      await setApprovalRule(deps, { ...body, organizationId, actor });
      return listApprovalRules(deps, organizationId);
    },
  );
}
