import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { ActButton } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { shown } from '../../layout/shown-rows.ts';
import { MemberActs } from './member-acts.tsx';
import { AddMemberDialog } from './member-add.tsx';
import type { Organization } from './organization-query.ts';

type Member = Organization['members'][number];

/** The people of the organization, and what an operator can do for them. */
export function MembersPanel({ organization }: { organization: Organization }) {
  const { organization_id, members } = organization;
  return (
    <Panel
      title="Members"
      description="Admins can change everything in the portal. Orders are attributed to the billing contact."
      actions={
        <ActButton label="Add a member">
          {(onClose) => <AddMemberDialog organization={organization} onClose={onClose} />}
        </ActButton>
      }
    >
      <DataTable
        caption="Members"
        columns={columnsOf(organization)}
        query={shown(members)}
        rowKey={({ member_id }) => member_id}
        empty={<EmptyState title="No members">Add an admin, so that someone can open the portal.</EmptyState>}
      />
      <CommandLine command={`bestow member list --org ${organization_id}`} />
    </Panel>
  );
}

const columnsOf = (organization: Organization): Column<Member>[] => [
  {
    header: 'Member',
    cell: (member) => (
      <>
        <span className="font-semibold wrap-anywhere">{member.email}</span>
        <span className="mt-0.5 flex flex-wrap gap-1.5">
          {member.member_id === organization.billing_contact_member_id && <Badge tone="calm">Billing contact</Badge>}
          <span className="md:hidden">
            <MemberState member={member} />
          </span>
        </span>
      </>
    ),
  },
  { header: 'Role', cell: ({ role }) => (role === 'admin' ? 'Admin' : 'Member'), isWide: true },
  { header: 'Status', cell: (member) => <MemberState member={member} />, isWide: true },
  { header: 'Since', cell: ({ created_at }) => <Time at={created_at} />, isWide: true },
  {
    header: 'Action',
    align: 'right',
    cell: (member) => <MemberActs organization={organization} member={member} />,
  },
];

function MemberState({ member: { deactivated_at, invitation } }: { member: Member }) {
  if (deactivated_at === null) return <Badge tone="good">Active</Badge>;
  if (invitation === 'pending') return <Badge tone="calm">Invited</Badge>;
  return <Badge tone="plain">{invitation === 'ended' ? 'Invitation ended' : 'Deactivated'}</Badge>;
}
