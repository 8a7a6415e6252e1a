import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { addPasskey, canUsePasskeys, deletePasskey, listPasskeys, type Passkey } from '../api/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { Panel } from '../ui/page.tsx';
import { type Column, DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';

const queryKey = ['passkeys'];
const nameOf = ({ name }: Passkey) => name || 'Passkey';

/** A fingerprint, a face or a device’s code instead of the code by email. */
export function AccountPasskeys() {
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const query = useQuery({ queryKey, queryFn: async () => ({ data: await listPasskeys() }) });
  const columns: Column<Passkey>[] = [
    { header: 'Name', cell: (passkey) => <span className="font-semibold wrap-anywhere">{nameOf(passkey)}</span> },
    { header: 'Added', cell: ({ createdAt }) => (createdAt ? <Time at={createdAt} /> : '') },
    {
      header: 'Action',
      align: 'right',
      cell: (passkey) => (
        <Button
          size="small"
          variant="danger"
          onClick={() => setRemoved(passkey)}
          aria-label={`Remove ${nameOf(passkey)}`}
        >
          Remove
        </Button>
      ),
    },
  ];
  const canAdd = canUsePasskeys();
  return (
    <Panel
      title="Passkeys"
      description="Sign in with a fingerprint, your face or your device’s code. No mail, no code to type."
      actions={
        canAdd && (
          <Button size="small" onClick={() => setIsAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      {!canAdd && (
        <p className="text-soft">
          Passkeys work where the portal is opened by a name over HTTPS, or as “localhost” on your own machine.
        </p>
      )}
      {(canAdd || (query.data?.data.length ?? 0) > 0) && (
        <DataTable
          caption="Passkeys"
          columns={columns}
          query={query}
          rowKey={({ id }) => id}
          loadingLines={1}
          empty={<p className="text-soft">You have none yet.</p>}
        />
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} />}
      {removed !== undefined && <RemovePasskeyDialog removed={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  );
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const queryClient = useQueryClient();
  const say = useToast();
  const addition = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey });
      say('The passkey was added.');
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Add a passkey" description="Your browser asks where to keep it.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          addition.mutate();
        }}
      >
        <TextField
          label="Name"
          hint="The device that it is for: “Work laptop”."
          value={name}
          onChange={setName}
          required
          maxLength={100}
          autoComplete="off"
        />
        <FormError error={additionError(addition.error)} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={addition.isPending} disabled={name.trim() === ''}>
            Add passkey
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What the browser says of passkeys is not in words for people. */
function additionError(error: Error | null): Error | null {
  if (error === null || error instanceof ApiError) return error;
  return error.name === 'InvalidStateError'
    ? new Error('This device has a passkey for you already. Sign in with it, or add one on another device.')
    : new Error('No passkey was made. Try again.');
}

function RemovePasskeyDialog({ removed, onClose }: { removed: Passkey; onClose: () => void }) {
  const queryClient = useQueryClient();
  const say = useToast();
  const removal = useMutation({
    mutationFn: () => deletePasskey(removed.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey });
      say('The passkey was removed.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove “${nameOf(removed)}”?`}
      description="It cannot be used to sign in any more. A code by email still can."
      action="Remove passkey"
      isBusy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    />
  );
}
