import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApprovalRule, rulesQuery } from '../../api/approval-rules.ts';
import { ApiError } from '../../api/client.ts';
import { isActive, type Member, membersQuery } from '../../api/member-acts.ts';
import { rolesQuery } from '../../api/roles.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField } from '../../ui/field.tsx';
import { MoneyField, moneyText, parseMoney } from '../../ui/money-field.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ApproverField } from './approver-field.tsx';
import { useSavingRule } from './use-saving-rule.ts';

interface RuleDialogProps {
  /** Whose own rule; undefined: the organization's. */
  member?: Member;
  onClose: () => void;
}

/** Sets which orders of all members, or of one, wait for an approval. */
export function RuleDialog({ member, onClose }: RuleDialogProps) {
  const { organizationId } = useScope();
  const rules = useQuery(rulesQuery(organizationId));
  const approvers = useApprovers(member);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={member === undefined ? 'Approvals' : `Approvals of orders by ${member.email}`}
      description="Who sends never approves their own order. The rule holds in Live and Sandbox mode, and not for API keys."
    >
      <Loaded query={rules} lines={5}>
        {({ data }) =>
          approvers !== undefined && (
            <RuleForm
              member={member}
              rule={data.find(({ member_id }) => member_id === (member?.member_id ?? null))}
              approvers={approvers}
              onClose={onClose}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** The active members whose role decides requests, without the one whose rule it is. */
function useApprovers(member: Member | undefined): readonly Member[] | undefined {
  const { organizationId } = useScope();
  const roles = useQuery(rolesQuery(organizationId)).data?.data;
  const members = useQuery(membersQuery(organizationId)).data?.data;
  if (roles === undefined || members === undefined) return undefined;
  const deciding = roles.flatMap(({ role, permissions }) => (permissions.includes('approve') ? [role] : []));
  return members.filter((one) => isActive(one) && deciding.includes(one.role) && one.member_id !== member?.member_id);
}

interface RuleFormProps {
  member: Member | undefined;
  onClose: () => void;
  rule: ApprovalRule | undefined;
  approvers: readonly Member[];
}

function RuleForm({ member, rule, approvers, onClose }: RuleFormProps) {
  const { currency } = useScope();
  const [kind, setKind] = useState<'none' | 'rule'>(rule === undefined ? 'none' : 'rule');
  const [aboveText, setAboveText] = useState(moneyText(rule?.above));
  const [approvals, setApprovals] = useState<'1' | '2'>(rule?.approvals === 2 ? '2' : '1');
  const known = approvers.map(({ member_id }) => member_id);
  const [chosen, setChosen] = useState<readonly string[]>(rule?.approvers.filter((id) => known.includes(id)) ?? []);
  const [isNamed, setIsNamed] = useState(rule !== undefined && rule.approvers.length > 0);
  const saving = useSavingRule(onClose, member && `Rule for orders by ${member.email} saved.`);
  const ofWhom = member?.member_id ?? null;
  const above = parseMoney(aboveText, currency, undefined, 0);
  // What the server refuses in its own words is about those who decide.
  const fault = saving.error instanceof ApiError && saving.error.code === 'refused' ? saving.error : undefined;
  const isRule = kind === 'rule';
  const save = () =>
    isRule
      ? above !== undefined &&
        saving.mutate({
          member_id: ofWhom,
          above,
          approvals: approvals === '2' ? 2 : 1,
          approvers: isNamed ? [...chosen] : [],
        })
      : saving.mutate({ member_id: ofWhom, above: null, approvals: 1, approvers: [] });
  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      error={fault === undefined || !isRule ? saving.error : null}
      isBusy={saving.isPending}
      action="Save"
      isIncomplete={isRule ? above === undefined || (isNamed && chosen.length === 0) : rule === undefined}
      noValidate
    >
      <SelectField label="Rule" value={kind} onChange={setKind} options={member === undefined ? ofAll : ofOne} />
      {isRule && (
        <>
          <MoneyField
            label="Orders above"
            hint={`0: all orders need an approval.${member === undefined ? '' : ' A high amount exempts the member.'}`}
            currency={currency}
            value={aboveText}
            onChange={setAboveText}
            leastCents={0}
          />
          <SelectField label="Approvals" value={approvals} onChange={setApprovals} options={counts} />
          <ApproverField
            approvers={approvers}
            isNamed={isNamed}
            onNamed={setIsNamed}
            chosen={chosen}
            onChange={(ids) => {
              saving.reset();
              setChosen(ids);
            }}
            error={fault?.message}
          />
        </>
      )}
    </DialogForm>
  );
}

const ofAll = [
  { value: 'none', label: 'No approvals' },
  { value: 'rule', label: 'Orders above an amount' },
] as const;

const ofOne = [
  { value: 'none', label: 'Use the organization’s rule' },
  { value: 'rule', label: 'Own rule' },
] as const;

const counts = [
  { value: '1', label: 'One person approves' },
  { value: '2', label: 'Two people approve' },
] as const;
