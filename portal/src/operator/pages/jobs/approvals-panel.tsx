import { unwrap } from '../../../api/client.ts';
import { formatChange } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import { useSession } from '../../api/use-session.ts';
import { ActButton, ActDialog } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { OrganizationLink } from '../../layout/organization-link.tsx';
import { shown } from '../../layout/shown-rows.ts';
import { modeName, type Work } from './job-rows.ts';

type Approval = Work['approvals'][number];

/** Changes of balances that wait for a second person. */
export function ApprovalsPanel({ approvals }: { approvals: Work['approvals'] }) {
  const { currency } = useSession().service;
  return (
    <Panel title="Changes to approve" description="Another person than the one who asked must approve them.">
      <DataTable
        caption="Changes of balances that wait"
        columns={columnsOf(currency)}
        query={shown(approvals)}
        rowKey={({ approval_id }) => approval_id}
        empty={<NothingHere>No change waits.</NothingHere>}
      />
      <CommandLine command="bestow doctor --work" />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Approval>[] => [
  {
    header: 'Change',
    cell: (approval) => (
      <>
        <span className="font-semibold whitespace-nowrap">{formatChange(approval.amount, currency)}</span>
        <span className="block text-sm">
          <OrganizationLink of={approval} />, {modeName(approval.environment)}
        </span>
        <span className="block text-sm text-soft md:hidden">{approval.requested_by}</span>
      </>
    ),
  },
  {
    header: 'Reason',
    isWide: true,
    cell: ({ reference, note }) => (
      <span className="wrap-anywhere">{[reference, note].filter((text) => text !== null).join(' · ')}</span>
    ),
  },
  {
    header: 'Asked',
    isWide: true,
    cell: ({ requested_by, created_at }) => (
      <>
        <Time at={created_at} />
        <span className="block text-sm wrap-anywhere text-soft">{requested_by}</span>
      </>
    ),
  },
  {
    header: 'Action',
    align: 'right',
    cell: (approval) => (
      <span className="inline-flex flex-col items-end gap-2 sm:flex-row">
        <ActButton label="Approve" about={approval.organization_name} variant="primary">
          {(onClose) => <DecisionDialog act="approve" approval={approval} currency={currency} onClose={onClose} />}
        </ActButton>
        <ActButton label="Decline" about={approval.organization_name} variant="danger">
          {(onClose) => <DecisionDialog act="decline" approval={approval} currency={currency} onClose={onClose} />}
        </ActButton>
      </span>
    ),
  },
];

interface DecisionDialogProps {
  act: 'approve' | 'decline';
  approval: Approval;
  currency: string;
  onClose: () => void;
}

function DecisionDialog({ act, approval, currency, onClose }: DecisionDialogProps) {
  const { approval_id, amount, organization_name, environment, requested_by } = approval;
  const change = `${formatChange(amount, currency)} for “${organization_name}”`;
  const isApproval = act === 'approve';
  return (
    <ActDialog
      onClose={onClose}
      title={`${isApproval ? 'Approve' : 'Decline'} ${change}?`}
      description={`${modeName(environment)} balance. ${requested_by} asked for it. ${isApproval ? 'The ledger names both of you.' : 'The balance stays as it is.'}`}
      action={isApproval ? 'Approve change' : 'Decline change'}
      isDanger={!isApproval}
      readBy="organization"
      command={`bestow balance ${act} ${approval_id} --yes`}
      send={(reason) =>
        unwrap(
          operatorApi.POST(`/operator/api/approvals/{approval_id}/${act}`, {
            params: { path: { approval_id } },
            body: { reason },
          }),
        )
      }
      done={`${isApproval ? 'Approved' : 'Declined'} ${change}.`}
    />
  );
}
