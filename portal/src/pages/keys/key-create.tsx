import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { dayRange } from '../../ui/formats.ts';
import { useAct } from '../../ui/use-act.ts';
import { NewKeyDialog } from './key-new.tsx';

/** Asks for a name and, if wanted, limits; then shows the key once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { path, environment } = useScope();
  const [name, setName] = useState('');
  const [limits, setLimits] = useState<Limits>({ lastDay: '', networks: '' });
  const creation = useAct({
    send: () => {
      const { to: expires_at } = dayRange({ to: limits.lastDay });
      const listed = limits.networks.split(/[\s,;]+/).filter((network) => network !== '');
      const body = { name: name.trim(), ...(expires_at && { expires_at }), networks: listed };
      return unwrap(api.POST(`${SCOPE_PATH}/keys`, { params: { path }, body }));
    },
    // The key is shown even if the list cannot be loaded.
    waits: false,
  });
  if (creation.data !== undefined) return <NewKeyDialog value={creation.data.key} onClose={onClose} />;
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
        <LimitFields limits={limits} onChange={setLimits} />
      </DialogForm>
    </Dialog>
  );
}

interface Limits {
  lastDay: string;
  networks: string;
}

function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  return (
    <details className="mt-4">
      <summary className="cursor-pointer font-semibold">Limits (optional)</summary>
      <div className="mt-3">
        <TextField
          label="Last day"
          hint="After this day the key stops working."
          value={limits.lastDay}
          onChange={(lastDay) => onChange({ ...limits, lastDay })}
          type="date"
        />
        <TextField
          label="Networks"
          hint="Only these addresses may use the key, such as 192.0.2.7, 198.51.100.0/24. Empty: all."
          value={limits.networks}
          onChange={(networks) => onChange({ ...limits, networks })}
          autoComplete="off"
        />
      </div>
    </details>
  );
}
