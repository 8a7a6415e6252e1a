import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { addPasskey, canUsePasskeys, deletePasskey, listPasskeys, type Passkey } from '../../api/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';

const nameOf = ({ name }: Passkey) => name || 'Passkey';

/** Lists, adds and removes passkeys. */
export function AccountPasskeys() {
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const query = useQuery({ queryKey: ['passkeys'], queryFn: async () => ({ data: await listPasskeys() }) });
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
      description="Sign in with your fingerprint, face or device PIN instead of a code by email."
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
          To use passkeys, open the portal over HTTPS with a domain name, or as “localhost” on this machine.
        </p>
      )}
      {(canAdd || (query.data?.data.length ?? 0) > 0) && (
        <DataTable
          caption="Passkeys"
          columns={columns}
          query={query}
          rowKey={({ id }) => id}
          loadingLines={1}
          empty={<p className="text-soft">No passkeys yet.</p>}
        />
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} />}
      {removed !== undefined && <RemovePasskeyDialog removed={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  );
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const addition = useAct({
    send: () => addPasskey(name.trim()),
    alsoChanges: ['passkeys', 'sign-in-events'],
    done: 'Passkey added.',
    onDone: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title="Add a passkey" description="Your browser will ask where to save it.">
      <DialogForm
        onSubmit={() => addition.mutate()}
        onCancel={onClose}
        error={additionError(addition.error)}
        isBusy={addition.isPending}
        action="Add passkey"
        isIncomplete={name.trim() === ''}
      >
        <TextField
          label="Name"
          hint="Name the device, such as “Work laptop”."
          value={name}
          onChange={setName}
          required
          maxLength={100}
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}

/** Replaces the browser's technical messages. */
function additionError(error: Error | null): Error | null {
  if (error === null || error instanceof ApiError) return error;
  return error.name === 'InvalidStateError'
    ? new Error('This device already has a passkey for you. Sign in with it, or add one on another device.')
    : new Error('No passkey was created. Try again.');
}

function RemovePasskeyDialog({ removed, onClose }: { removed: Passkey; onClose: () => void }) {
  const removal = useAct({
    send: () => deletePasskey(removed.id),
    alsoChanges: ['passkeys', 'sign-in-events'],
    done: 'Passkey removed.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove “${nameOf(removed)}”?`}
      description="You can no longer sign in with it. Codes by email still work."
      action="Remove passkey"
      act={removal}
    />
  );
}
