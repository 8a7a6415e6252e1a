import type { ReactNode } from 'react';
import type { ApprovalRule } from '../../api/approval-rules.ts';
import type { Member } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/formats.ts';
import type { Column } from '../../ui/table.tsx';
import { useRoleName } from '../members/role-field.tsx';
import { CapLines, type Caps, nameOf } from './caps.tsx';
import { type Holder, LimitLines } from './limits.tsx';
import type { Spender } from './use-spenders.ts';

/** What a dialog changes. */
export type SpendingChange =
  | { what: 'caps'; caps: Caps }
  | { what: 'limits'; holder: Holder }
  | { what: 'rule'; member: Member | undefined };

interface ColumnsProps {
  sentenceOf: (rule: ApprovalRule) => string;
  /** Left out for those who may change nothing. */
  onChange?: (change: SpendingChange) => void;
}

export const spenderColumns = ({ sentenceOf, onChange }: ColumnsProps): Column<Spender>[] => [
  {
    header: 'Who',
    cell: (spender) => (
      <>
        <Who spender={spender} />
        {onChange !== undefined && (
          <span className="mt-2 flex flex-wrap gap-2 md:hidden">
            <Changes spender={spender} onChange={onChange} />
          </span>
        )}
      </>
    ),
  },
  {
    header: 'How much',
    cell: (spender) => (
      <>
        <HowMuch spender={spender} />
        <span className="mt-1 block text-sm text-soft md:hidden">
          <Approval spender={spender} sentenceOf={sentenceOf} />
        </span>
      </>
    ),
  },
  {
    header: 'Who approves',
    cell: (spender) => <Approval spender={spender} sentenceOf={sentenceOf} />,
    isWide: true,
  },
  ...(onChange === undefined
    ? []
    : [
        {
          header: 'Action',
          align: 'right' as const,
          isWide: true,
          cell: (spender: Spender) => (
            <span className="flex flex-wrap justify-end gap-2">
              <Changes spender={spender} onChange={onChange} />
            </span>
          ),
        },
      ]),
];

/** The buttons of a row: below its name on phones, else in a column. */
const Changes = ({ spender, onChange }: { spender: Spender; onChange: (change: SpendingChange) => void }) =>
  changesOf(spender).map(({ label, name, change }) => (
    <Button key={label} size="small" aria-label={name} onClick={() => onChange(change)}>
      {label}
    </Button>
  ));

function changesOf(spender: Spender): { label: string; name: string; change: SpendingChange }[] {
  const caps = (of: Caps) => ({
    label: 'Caps',
    name: `Caps of ${nameOf(of)}`,
    change: { what: 'caps' as const, caps: of },
  });
  const limits = (holder: Holder) => ({
    label: 'Limits',
    name: `Limits of ${holder.name}`,
    change: { what: 'limits' as const, holder },
  });
  switch (spender.kind) {
    case 'all':
      return [
        ...(spender.caps === undefined ? [] : [caps(spender.caps)]),
        { label: 'Approvals', name: 'Change the rule for approvals', change: { what: 'rule', member: undefined } },
      ];
    case 'member': {
      const { member, onlyAsks } = spender;
      if (onlyAsks) return [];
      return [
        limits({ id: member.member_id, name: member.email }),
        { label: 'Approvals', name: `Approvals of orders by ${member.email}`, change: { what: 'rule', member } },
      ];
    }
    case 'team':
      return [limits({ id: spender.team.team_id, name: spender.team.name })];
    case 'key':
      return [caps(spender.caps)];
  }
}

function Who({ spender }: { spender: Spender }) {
  const { membership } = useScope();
  const roleName = useRoleName();
  switch (spender.kind) {
    case 'all':
      return <Named name="All orders">of people, keys and agents together</Named>;
    case 'member': {
      const { member_id, name, email, role } = spender.member;
      return (
        <Named name={name ?? email}>
          {name !== null && <span className="block">{email}</span>}
          <bdi>{roleName(role)}</bdi> {member_id === membership.member_id && <Badge tone="plain">You</Badge>}
        </Named>
      );
    }
    case 'team':
      return <Named name={spender.team.name}>Team of {countOf(spender.team.members, 'member')}</Named>;
    case 'key':
      return (
        <Named name={spender.caps.name ?? ''}>
          API key <span className="font-mono text-[0.8125rem]">{spender.caps.hint}</span>
        </Named>
      );
  }
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <bdi className="block font-semibold wrap-anywhere">{name}</bdi>
    <span className="text-sm wrap-anywhere text-soft">{children}</span>
  </>
);

function HowMuch({ spender }: { spender: Spender }) {
  const isCapped = 'caps' in spender && spender.caps !== undefined && (spender.caps.hour ?? spender.caps.day) !== null;
  if (isCapped && spender.caps !== undefined) return <CapLines caps={spender.caps} />;
  if ('limits' in spender && spender.limits !== undefined) return <LimitLines limits={spender.limits} />;
  if (spender.kind === 'all' && spender.caps === undefined) return <span className="text-soft">Up to the balance</span>;
  return (
    <span className="text-soft">
      {spender.kind === 'member' && spender.onlyAsks ? 'Asks for each gift' : 'No limit'}
    </span>
  );
}

function Approval({ spender, sentenceOf }: { spender: Spender; sentenceOf: ColumnsProps['sentenceOf'] }) {
  const { membership } = useScope();
  if (spender.kind === 'team') return null;
  if (spender.kind === 'key') return <span className="text-soft">No one</span>;
  if (spender.rule !== undefined) return <span className="wrap-anywhere">{sentenceOf(spender.rule)}</span>;
  if (spender.kind === 'all') return 'No orders need an approval.';
  if (!spender.onlyAsks) return <span className="text-soft">As all orders</span>;
  return membership.members_may_request ? 'Members whose role decides requests' : 'May not ask: see below';
}
