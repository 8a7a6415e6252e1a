import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApprovalRule, type AskedRule, rulesQuery } from '../../api/approval-rules.ts';
import { membersQuery } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { formatRoundMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AskedRules } from './asked-rules.tsx';
import { RuleDialog } from './rule-dialog.tsx';

/** Which orders of members wait for an approval. */
export function ApprovalSettings() {
  const { organizationId, may } = useScope();
  const [isOpen, setIsOpen] = useState(false);
  const rules = useQuery(rulesQuery(organizationId));
  return (
    <Panel
      title="Approvals"
      description="Orders that wait until someone else approves them. Under Members, a member can have an own rule."
      actions={
        may('settings') && (
          <Button size="small" onClick={() => setIsOpen(true)} aria-label="Change the rule for approvals">
            Change
          </Button>
        )
      }
    >
      <Loaded query={rules} lines={2}>
        {({ data, asked }) => <Rules rules={data} asked={asked} />}
      </Loaded>
      {isOpen && <RuleDialog onClose={() => setIsOpen(false)} />}
    </Panel>
  );
}

function Rules({ rules, asked }: { rules: readonly ApprovalRule[]; asked: readonly AskedRule[] }) {
  const { organizationId, currency, me } = useScope();
  const members = useQuery(membersQuery(organizationId)).data?.data ?? [];
  const nameOf = (id: string) => {
    const found = members.find(({ member_id }) => member_id === id);
    return found?.name ?? found?.email ?? 'a former member';
  };
  const sentenceOf = ({ above, approvals, approvers }: ApprovalRule) => {
    const who = approvers.length === 0 ? 'members whose role decides requests' : `${approvers.map(nameOf).join(', ')}`;
    const orders = above === 0 ? 'All orders' : `Orders above ${formatRoundMoney(above, currency)}`;
    return `${orders} need ${approvals === 2 ? 'two approvals' : 'an approval'}, given by ${who}.`;
  };
  const general = rules.find(({ member_id }) => member_id === null);
  const own = rules.flatMap((rule) => (rule.member_id === null ? [] : [{ ...rule, member_id: rule.member_id }]));
  return (
    <>
      <p className="wrap-anywhere">{general === undefined ? 'No orders need an approval.' : sentenceOf(general)}</p>
      {own.length > 0 && (
        <ul aria-label="Own rules of members" className="mt-3 grid gap-2 border-t border-line pt-3">
          {own.map((rule) => (
            <li key={rule.member_id} className="wrap-anywhere">
              <span className="font-semibold">{nameOf(rule.member_id)}:</span> {sentenceOf(rule)}
            </li>
          ))}
        </ul>
      )}
      <AskedRules rules={rules} asked={asked} nameOf={nameOf} sentenceOf={sentenceOf} viewer={me.email} />
    </>
  );
}
