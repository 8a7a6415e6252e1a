import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogActions, SavedButton } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { TextField } from '../ui/field.tsx';
import { Page, Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Column, DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import { useKeys } from './request-parts.tsx';

type Key = components['schemas']['Key'];

/** The keys of the current mode. The limit counts both modes. */
export function KeysPage() {
  const { environment, isAdmin, mayChange } = useScope();
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const keys = useKeys();
  const left = keys.data === undefined ? undefined : keys.data.most_active - keys.data.active;

  return (
    <Page
      title="API keys"
      description="With a key, a program can place orders, spend the balance and read gifts. Keep keys on your servers."
      actions={
        mayChange && (
          <Button variant="primary" onClick={() => setIsCreating(true)} disabled={left === undefined || left <= 0}>
            Create a {environment} key
          </Button>
        )
      }
    >
      <Panel>
        {keys.data !== undefined && (
          <p className="mb-3 text-soft">
            {left === 0
              ? `All ${keys.data.most_active} active keys are in use (Live and Sandbox). Revoke one to create another.`
              : `${keys.data.active} of ${keys.data.most_active} active keys in use (Live and Sandbox).`}
          </p>
        )}
        <DataTable
          caption={`${environment === 'live' ? 'Live' : 'Sandbox'} keys`}
          columns={isAdmin ? [...columns, actionColumn(setRevoked)] : columns}
          query={keys}
          rowKey={(key) => key.key_id}
          loadingLines={4}
          empty={
            <EmptyState title={`No ${environment} keys yet`}>
              {isAdmin ? 'Create one and place your first order in a minute.' : 'An admin can create one.'}
            </EmptyState>
          }
        />
      </Panel>
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
      {revoked !== undefined && <RevokeKeyDialog revoked={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

const columns: Column<Key>[] = [
  {
    header: 'Name',
    cell: (key) => (
      <>
        <span className="font-semibold wrap-anywhere">{key.name}</span>
        <span className="mt-0.5 block font-mono text-[0.8125rem] text-soft">{key.hint}</span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: (key) => (key.revoked_at === null ? <Badge tone="good">Active</Badge> : <Badge tone="plain">Revoked</Badge>),
  },
  {
    header: 'Last used',
    cell: (key) => (key.last_used_at === null ? 'Never' : <Time at={key.last_used_at} />),
    isWide: true,
  },
  {
    header: 'Created',
    cell: (key) => (
      <>
        <Time at={key.created_at} />
        <span className="block text-sm text-soft wrap-anywhere">{key.created_by ?? ''}</span>
      </>
    ),
    isWide: true,
  },
];

const actionColumn = (onRevoke: (key: Key) => void): Column<Key> => ({
  header: 'Action',
  align: 'right',
  cell: (key) =>
    key.revoked_at === null && (
      <Button size="small" variant="danger" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
        Revoke
      </Button>
    ),
});

/** Asks for a name, then shows the key once. */
function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { path, environment } = useScope();
  const [name, setName] = useState('');
  const queryClient = useQueryClient();
  const creation = useMutation({
    mutationFn: () => unwrap(api.POST(`${SCOPE_PATH}/keys`, { params: { path }, body: { name: name.trim() } })),
    // Not awaited, so that the key is shown even if the list cannot be loaded.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (creation.data !== undefined)
    return (
      <Dialog
        isOpen
        isHeld
        onClose={onClose}
        title="Save your key"
        description="You can see it only once. Anyone with this key can spend the organization’s balance."
      >
        <NewKey value={creation.data.key} onSaved={onClose} />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      isHeld={creation.isPending}
      onClose={onClose}
      title={`Create a ${environment} key`}
      description={
        environment === 'live'
          ? 'Orders with this key are charged to the live balance. All admins get an email.'
          : 'Orders with this key are tests. All admins get an email.'
      }
    >
      <DialogForm
        onSubmit={() => creation.mutate()}
        onCancel={onClose}
        error={creation.error}
        isBusy={creation.isPending}
        action="Create key"
        isIncomplete={name.trim() === ''}
        isCancelDisabled={creation.isPending}
      >
        <TextField
          label="Name"
          hint="So you can tell keys apart: “Web shop”, “Ada’s laptop”."
          value={name}
          onChange={setName}
          required
          maxLength={200}
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}

function NewKey({ value, onSaved }: { value: string; onSaved: () => void }) {
  return (
    <>
      <p className="rounded-xl bg-sunken px-4 py-3 font-mono text-[0.9375rem] wrap-anywhere" data-testid="new-key">
        {value}
      </p>
      <DialogActions>
        <CopyButton text={value} label="Copy key" />
        <SavedButton onClick={onSaved} />
      </DialogActions>
    </>
  );
}

function RevokeKeyDialog({ revoked, onClose }: { revoked: Key; onClose: () => void }) {
  const { path } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const revocation = useMutation({
    mutationFn: () =>
      unwrap(api.POST(`${SCOPE_PATH}/keys/{key_id}/revoke`, { params: { path: { ...path, key_id: revoked.key_id } } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
      showToast(`Revoked “${revoked.name}”.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke “${revoked.name}”?`}
      description={
        <>
          <p>
            Programs that use this key will get the error api_key_revoked, starting with their next request. You cannot
            undo this.
          </p>
          <p className="mt-2">
            {revoked.last_used_at === null ? (
              'This key was never used.'
            ) : (
              <>
                Last used <Time at={revoked.last_used_at} />.
              </>
            )}{' '}
            Existing gifts are not affected.
          </p>
        </>
      }
      action="Revoke key"
      isBusy={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
    />
  );
}
