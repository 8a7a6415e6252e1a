import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField } from '../../ui/field.tsx';

/** How long a replaced key or token works on, in hours. */
const overlaps = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'After 1 hour' },
  { value: '24', label: 'After 1 day' },
  { value: '72', label: 'After 3 days' },
  { value: '168', label: 'After 7 days' },
] as const;

interface OverlapDialogProps {
  title: string;
  description: string;
  what: 'key' | 'token';
  act: { mutate: (overlapHours: number) => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}

/** Asks how long the old key or token works on before it is replaced. */
export function OverlapDialog({ title, description, what, act, onClose }: OverlapDialogProps) {
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]['value']>('24');
  return (
    <Dialog isOpen isHeld={act.isPending} onClose={onClose} title={title} description={description}>
      <DialogForm
        onSubmit={() => act.mutate(Number(overlap))}
        onCancel={onClose}
        error={act.error}
        isBusy={act.isPending}
        action={`Replace ${what}`}
        isCancelDisabled={act.isPending}
      >
        <SelectField label={`The old ${what} stops working`} value={overlap} onChange={setOverlap} options={overlaps} />
      </DialogForm>
    </Dialog>
  );
}
