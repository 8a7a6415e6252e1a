import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Member, membersQuery } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAdding } from '../../ui/use-adding.ts';
import { ChangeMemberDialog } from './member-change.tsx';
import { InviteDialog } from './member-invite.tsx';
import { type MemberChangeName, MemberMenu } from './member-menu.tsx';
import { TeamName } from './member-team.tsx';
import { useRoleName } from './role-field.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { RolesPage } from './roles.tsx';
export { TeamsPage } from './teams.tsx';

const tones = { Active: 'good', Invited: 'calm', 'Not a member': 'plain', Deactivated: 'plain' } as const;

function statusOf({ deactivated_at, invitation }: Member): keyof typeof tones {
  if (deactivated_at === null) return 'Active';
  if (invitation === 'pending') return 'Invited';
  return invitation === 'ended' ? 'Not a member' : 'Deactivated';
}

interface Change {
  name: MemberChangeName;
  member: Member;
}

/** The organization's members, the same in both modes. */
export function MembersPage() {
  const { organizationId, may } = useScope();
  const { isAdding, begin, end } = useAdding('member');
  const [change, setChange] = useState<Change>();
  const members = useQuery(membersQuery(organizationId));
  return (
    <Page
      title="Members"
      description="Who can open this organization’s portal. A role says what a person sees and does. Orders are attributed to the billing contact."
      actions={
        may('members') && (
          <Button variant="primary" onClick={begin}>
            Invite a person
          </Button>
        )
      }
    >
      <Panel>
        <DataTable
          caption="Members"
          columns={may('members') ? [...columns, actionColumn(setChange)] : columns}
          query={members}
          rowKey={({ member_id }) => member_id}
          loadingLines={4}
          // The person who sees the list is a member.
          empty={null}
        />
      </Panel>
      {isAdding && may('members') && <InviteDialog onClose={end} />}
      {change !== undefined && (
        <ChangeMemberDialog {...change} members={members.data?.data ?? []} onClose={() => setChange(undefined)} />
      )}
    </Page>
  );
}

const columns: Column<Member>[] = [
  { header: 'Member', cell: (member) => <MemberName member={member} /> },
  { header: 'Role', cell: ({ role }) => <RoleName role={role} />, isWide: true },
  { header: 'Team', cell: ({ team_id }) => <TeamName teamId={team_id} />, isWide: true },
  {
    header: 'Status',
    cell: (member) => <Badge tone={tones[statusOf(member)]}>{statusOf(member)}</Badge>,
    isWide: true,
  },
  {
    header: 'Since',
    cell: ({ created_at, deactivated_at, invitation }) => (
      <>
        <Time at={created_at} />
        {deactivated_at !== null && invitation === null && (
          <span className="block text-sm whitespace-nowrap text-soft">
            until <Time at={deactivated_at} />
          </span>
        )}
      </>
    ),
    isWide: true,
  },
];

const actionColumn = (onChoose: (change: Change) => void): Column<Member> => ({
  header: 'Action',
  align: 'right',
  cell: (member) => <MemberMenu member={member} onChoose={(name) => onChoose({ name, member })} />,
});

function RoleName({ role }: Pick<Member, 'role'>) {
  const nameOf = useRoleName();
  return <bdi>{nameOf(role)}</bdi>;
}

function MemberName({ member }: { member: Member }) {
  const { membership } = useScope();
  const { email, name, role, team_id, is_billing_contact } = member;
  const isOneself = member.member_id === membership.member_id;
  return (
    <>
      {name !== null && (
        <span className="block font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </span>
      )}
      <span className={name === null ? 'font-semibold wrap-anywhere' : 'text-sm wrap-anywhere text-soft'}>{email}</span>
      <span className="block text-sm text-soft md:hidden">
        <RoleName role={role} />
        {team_id !== null && ', '}
        <TeamName teamId={team_id} />
        {statusOf(member) !== 'Active' && `, ${statusOf(member).toLowerCase()}`}
      </span>
      {(isOneself || is_billing_contact) && (
        <span className="mt-1 flex flex-wrap gap-1.5">
          {isOneself && <Badge tone="plain">You</Badge>}
          {is_billing_contact && <Badge tone="calm">Billing contact</Badge>}
        </span>
      )}
    </>
  );
}
