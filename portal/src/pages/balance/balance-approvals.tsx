import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';

type Approval = components['schemas']['Approval'];

/** The changes of this balance that wait for a second person; nothing if none waits. */
export function ApprovalsPanel() {
  const { organizationId, environment, currency, may } = useScope();
  const [asked, setAsked] = useState<{ approval: Approval; isApproved: boolean }>();
  const approvals = useQuery({
    queryKey: ['approvals', organizationId],
    queryFn: () =>
      unwrap(api.GET(`${ORGANIZATION_PATH}/approvals`, { params: { path: { organization_id: organizationId } } })),
  });
  const waiting = approvals.data?.data.filter((approval) => approval.environment === environment) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title="Waiting for approval" description="The operator asked for these changes. An admin must approve them.">
      <ul className="divide-y divide-line border-t border-line">
        {waiting.map((approval) => (
          <li key={approval.approval_id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div className="min-w-0">
              <p className="font-semibold tabular-nums">{formatMoney(approval.amount, currency)}</p>
              <p className="mt-0.5 text-sm text-soft wrap-anywhere">
                {[approval.note, approval.reference].filter(Boolean).join(' · ')}
              </p>
              <p className="mt-0.5 text-sm text-soft">
                By {approval.requested_by}, <Time at={approval.created_at} />
              </p>
            </div>
            {may('pay') && (
              <div className="flex gap-3">
                <Button size="small" onClick={() => setAsked({ approval, isApproved: false })}>
                  Decline
                </Button>
                <Button size="small" variant="primary" onClick={() => setAsked({ approval, isApproved: true })}>
                  Approve
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked !== undefined && <DecisionDialog {...asked} onClose={() => setAsked(undefined)} />}
    </Panel>
  );
}

interface DecisionDialogProps {
  approval: Approval;
  isApproved: boolean;
  onClose: () => void;
}

function DecisionDialog({ approval, isApproved, onClose }: DecisionDialogProps) {
  const { organizationId, currency } = useScope();
  const amount = formatMoney(approval.amount, currency);
  const decision = useAct({
    send: () => {
      const params = { params: { path: { organization_id: organizationId, approval_id: approval.approval_id } } };
      return unwrap(
        isApproved
          ? api.POST(`${ORGANIZATION_PATH}/approvals/{approval_id}/approve`, params)
          : api.POST(`${ORGANIZATION_PATH}/approvals/{approval_id}/decline`, params),
      );
    },
    // The panel goes with its last change.
    waits: false,
    done: isApproved ? `Balance changed by ${amount}.` : 'Change declined.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isApproved ? `Change the balance by ${amount}?` : `Decline the change of ${amount}?`}
      description={
        isApproved
          ? 'The ledger entry names you and the operator who asked.'
          : 'Nothing is changed. The operator can ask again.'
      }
      action={isApproved ? 'Approve' : 'Decline'}
      isDanger={!isApproved}
      act={decision}
    />
  );
}
