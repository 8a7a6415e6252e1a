import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';

/** Describes the sandbox. Admins can reset or delete it. */
export function SandboxSettings() {
  const { membership, params, may } = useScope();
  const [asked, setAsked] = useState<'reset' | 'delete'>();
  const close = () => setAsked(undefined);
  return (
    <Panel
      title="Sandbox"
      description="A test environment with its own keys, balance, orders and gifts. No money moves and no messages are sent."
    >
      {membership.has_sandbox ? (
        <div className="divide-y divide-line border-t border-line">
          <Act
            title="Reset"
            button={
              may('test') && (
                <Button variant="danger" onClick={() => setAsked('reset')}>
                  Reset sandbox
                </Button>
              )
            }
          >
            Deletes its orders, gifts and balance. Its keys keep working.
          </Act>
          <Act
            title="Delete"
            button={
              may('test') && (
                <Button variant="danger" onClick={() => setAsked('delete')}>
                  Delete sandbox
                </Button>
              )
            }
          >
            Deletes everything in it. Its keys are refused until an admin opens Sandbox mode, which creates a new
            sandbox.
          </Act>
        </div>
      ) : (
        <Act
          title="No sandbox"
          button={
            may('test') && (
              <ButtonLink to="/$organizationId/$environment/settings" params={{ ...params, environment: 'sandbox' }}>
                Open Sandbox mode
              </ButtonLink>
            )
          }
        >
          An admin creates it by opening Sandbox mode.
        </Act>
      )}
      {asked === 'reset' && <ResetDialog onClose={close} />}
      {asked === 'delete' && <DeleteDialog onClose={close} />}
    </Panel>
  );
}

function Act({ title, button, children }: { title: string; button: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 last:pb-0">
      <div className="max-w-2xl min-w-0 flex-1 basis-64">
        <h3 className="font-sans text-[0.9375rem] font-semibold">{title}</h3>
        <p className="mt-0.5 text-soft">{children}</p>
      </div>
      {button}
    </div>
  );
}

function ResetDialog({ onClose }: { onClose: () => void }) {
  const { organizationId, membership } = useScope();
  const reset = useAct({
    send: () =>
      unwrap(api.POST(`${ORGANIZATION_PATH}/sandbox/reset`, { params: { path: { organization_id: organizationId } } })),
    done: (deleted) => `Sandbox reset: ${contentsOf(deleted)} deleted.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Reset the sandbox?"
      description="This deletes all its orders, gifts and gift links, and its balance. Its keys and Live mode are not affected. You cannot undo this."
      action="Reset sandbox"
      typed={membership.organization_name}
      act={reset}
    />
  );
}

/** Goes to Live mode afterwards, because Sandbox mode would create a new sandbox. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { organizationId, membership } = useScope();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const deletion = useAct({
    send: () =>
      unwrap(api.DELETE(`${ORGANIZATION_PATH}/sandbox`, { params: { path: { organization_id: organizationId } } })),
    onAnswer: () =>
      navigate({ to: '/$organizationId/$environment/settings', params: { organizationId, environment: 'live' } }),
    done: (deleted) => `Sandbox deleted, with ${contentsOf(deleted)}. You are now in Live mode.`,
    onDone: () => {
      // Forget cached data of the deleted sandbox.
      queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== 'me' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Delete the sandbox?"
      description="This deletes all its orders, gifts and its balance, and its keys stop working. Live mode is not affected. You cannot undo this."
      action="Delete sandbox"
      typed={membership.organization_name}
      act={deletion}
    />
  );
}

const contentsOf = ({
  orders_deleted: orders,
  gifts_deleted: gifts,
}: {
  orders_deleted: number;
  gifts_deleted: number;
}) =>
  `${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'} and ${formatCount(gifts)} ${gifts === 1 ? 'gift' : 'gifts'}`;
