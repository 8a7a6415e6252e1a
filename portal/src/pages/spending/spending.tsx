import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApprovalRule } from '../../api/approval-rules.ts';
import type { Member } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { formatRoundMoney } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { DataTable } from '../../ui/table.tsx';
import { AskedRules } from '../approvals/asked-rules.tsx';
import { RuleDialog } from '../approvals/rule-dialog.tsx';
import { CapsDialog } from './caps.tsx';
import { LimitsDialog } from './limits.tsx';
import { RequestPolicy } from './request-policy.tsx';
import { type SpendingChange, spenderColumns } from './spender-columns.tsx';
import { useSpenders } from './use-spenders.ts';

/** Who may spend how much, and who approves it. */
export function SpendingPage() {
  const { may } = useScope();
  const { query, members, rules, asked } = useSpenders();
  const [change, setChange] = useState<SpendingChange>();
  const sentenceOf = useSentences(members);
  return (
    <Page
      title="Spending"
      description="Who may spend how much, and who approves it. What exceeds a limit is refused; days and months begin in UTC."
    >
      <Panel>
        <DataTable
          caption="Spending"
          columns={spenderColumns({ sentenceOf, ...(may('settings') && { onChange: setChange }) })}
          query={query}
          rowKey={({ id }) => id}
          loadingLines={6}
          empty={null}
        />
        <AskedRules rules={rules} asked={asked} nameOf={nameIn(members)} sentenceOf={sentenceOf} />
        <Agents />
      </Panel>
      <RequestPolicy />
      <ChangeDialog change={change} onClose={() => setChange(undefined)} />
    </Page>
  );
}

function ChangeDialog({ change, onClose }: { change: SpendingChange | undefined; onClose: () => void }) {
  if (change === undefined) return null;
  if (change.what === 'caps') return <CapsDialog caps={change.caps} onClose={onClose} />;
  if (change.what === 'limits') return <LimitsDialog holder={change.holder} onClose={onClose} />;
  return <RuleDialog {...(change.member && { member: change.member })} onClose={onClose} />;
}

const nameIn = (members: readonly Member[]) => (id: string) => {
  const found = members.find(({ member_id }) => member_id === id);
  return found?.name ?? found?.email ?? 'a former member';
};

/** What a rule says. */
function useSentences(members: readonly Member[]) {
  const { currency } = useScope();
  const nameOf = nameIn(members);
  return ({ above, approvals, approvers }: ApprovalRule) => {
    const who = approvers.length === 0 ? 'members whose role decides requests' : `${approvers.map(nameOf).join(', ')}`;
    const orders = above === 0 ? 'All orders' : `Orders above ${formatRoundMoney(above, currency)}`;
    return `${orders} need ${approvals === 2 ? 'two approvals' : 'an approval'}, given by ${who}.`;
  };
}

function Agents() {
  const { params, includes } = useScope();
  if (!includes('integrations')) return null;
  return (
    <p className="mt-4 text-sm text-soft">
      What an agent may spend, and above which amount it asks, is in its grant under{' '}
      <Link
        to="/$organizationId/$environment/agents"
        params={params}
        className="text-accent underline underline-offset-2"
      >
        Agents
      </Link>
      .
    </p>
  );
}
