import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { NewKeyDialog } from './key-new.tsx';
import { type Overlap, overlaps } from './key-overlaps.ts';

/** Asks how long the old key works on, then shows the new key once. */
export function RollKeyDialog({ rolled, onClose }: { rolled: components['schemas']['Key']; onClose: () => void }) {
  const { path } = useScope();
  const [overlap, setOverlap] = useState<Overlap>('24');
  const roll = useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/keys/{key_id}/roll`, {
          params: { path: { ...path, key_id: rolled.key_id } },
          body: { overlap_hours: Number(overlap) },
        }),
      ),
    // The key is shown even if the list cannot be loaded.
    waits: false,
  });
  if (roll.data !== undefined) return <NewKeyDialog value={roll.data.key} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      isHeld={roll.isPending}
      onClose={onClose}
      title={`Replace “${rolled.name}”?`}
      description="You get a new key with the same name and limits. The old key goes on working for the time you choose, so that your programs can change over. All admins get an email."
    >
      <DialogForm
        onSubmit={() => roll.mutate()}
        onCancel={onClose}
        error={roll.error}
        isBusy={roll.isPending}
        action="Replace key"
        isCancelDisabled={roll.isPending}
      >
        <SelectField label="The old key stops working" value={overlap} onChange={setOverlap} options={overlaps} />
      </DialogForm>
    </Dialog>
  );
}
