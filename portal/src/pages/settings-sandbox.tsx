import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { formatCount } from '../ui/formats.ts';
import { Panel } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';

const PATH = '/portal/api/organizations/{organization_id}/sandbox';

/** What the sandbox is, and for admins the ways to empty it and to be rid of it. */
export function SandboxSettings() {
  const { membership, params, mayChange } = usePlace();
  const [asked, setAsked] = useState<'reset' | 'delete'>();
  const close = () => setAsked(undefined);
  return (
    <Panel
      title="Sandbox"
      description="A place for tests with keys, a balance, orders and gifts of its own. No money moves there, and nobody gets a message."
    >
      {membership.has_sandbox ? (
        <div className="divide-y divide-line border-t border-line">
          <Act
            title="Reset"
            button={
              mayChange && (
                <Button variant="danger" onClick={() => setAsked('reset')}>
                  Reset sandbox
                </Button>
              )
            }
          >
            Deletes its orders, gifts and balance. Its keys stay and go on working.
          </Act>
          <Act
            title="Delete"
            button={
              mayChange && (
                <Button variant="danger" onClick={() => setAsked('delete')}>
                  Delete sandbox
                </Button>
              )
            }
          >
            Deletes all that is in it. Its keys are refused until there is a sandbox again, which the next admin who
            opens Sandbox mode creates.
          </Act>
        </div>
      ) : (
        <Act
          title="There is no sandbox now"
          button={
            mayChange && (
              <ButtonLink to="/$organizationId/$environment/settings" params={{ ...params, environment: 'sandbox' }}>
                Open Sandbox mode
              </ButtonLink>
            )
          }
        >
          It comes into being when an admin opens Sandbox mode.
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
  const { organizationId, membership } = usePlace();
  const queryClient = useQueryClient();
  const say = useToast();
  const reset = useMutation({
    mutationFn: () => unwrap(api.POST(`${PATH}/reset`, { params: { path: { organization_id: organizationId } } })),
    onSuccess: async (deleted) => {
      await queryClient.invalidateQueries();
      say(`The sandbox is reset: ${contentsOf(deleted)} deleted.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Reset the sandbox?"
      description="All its orders, gifts, and its balance are deleted, and links of its gifts end. Its keys stay. Live is not touched. This cannot be undone."
      action="Reset sandbox"
      typed={membership.organization_name}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate()}
    />
  );
}

/** Afterwards the person is in Live mode: Sandbox mode would create the sandbox again. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { organizationId, membership } = usePlace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const say = useToast();
  const deletion = useMutation({
    mutationFn: () => unwrap(api.DELETE(PATH, { params: { path: { organization_id: organizationId } } })),
    onSuccess: async (deleted) => {
      await navigate({ to: '/$organizationId/$environment/settings', params: { organizationId, environment: 'live' } });
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await router.invalidate();
      // What other pages keep of it is gone.
      queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
      say(`The sandbox is deleted, with ${contentsOf(deleted)}. You are in Live mode.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Delete the sandbox?"
      description="All its orders, gifts, and its balance are deleted, and its keys are refused from their next request on. Live is not touched. This cannot be undone."
      action="Delete sandbox"
      typed={membership.organization_name}
      isBusy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
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
