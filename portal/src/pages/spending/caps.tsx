import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { CapFields, capTexts, readCaps } from '../../ui/cap-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { useAct } from '../../ui/use-act.ts';

export type Caps = components['schemas']['SpendingCaps'];

/** `all orders`, or those with a key. */
export const nameOf = ({ name }: Caps) => (name === null ? 'all orders' : `orders with “${name}”`);

export const capsQuery = (path: ReturnType<typeof useScope>['path']) => ({
  queryKey: ['spending-caps', path] as const,
  queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/spending-caps`, { params: { path } })),
});

/** What orders may cost per hour and day: all together, or with one key. */
export const CapLines = ({ caps: { hour, day } }: { caps: Caps }) => (
  <>
    {hour !== null && <CapLine {...hour} period="hour" />}
    {day !== null && <CapLine {...day} period="day" />}
  </>
);

function CapLine({ cap, spent, period }: { cap: number; spent: number; period: string }) {
  const { currency } = useScope();
  return (
    <span className="block tabular-nums">
      <span className="font-semibold">{formatRoundMoney(cap, currency)}</span> per {period}{' '}
      <span className="text-sm text-soft">({formatMoney(spent, currency)} spent)</span>
    </span>
  );
}

/** Sets the caps of all orders, or of those with a key. */
export function CapsDialog({ caps, onClose }: { caps: Caps; onClose: () => void }) {
  const { path, currency } = useScope();
  const [texts, setTexts] = useState(() => capTexts(caps));
  const { hour, day } = readCaps(texts, currency);
  const change = useAct({
    send: (amounts: { hour: number | null; day: number | null }) =>
      unwrap(api.PUT(`${SCOPE_PATH}/spending-caps`, { params: { path }, body: { key_id: caps.key_id, ...amounts } })),
    done: 'Spending caps saved.',
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Caps of ${nameOf(caps)}`}
      description="What was ordered in this hour and day counts. If you raise or remove a cap, all admins get an email."
    >
      <DialogForm
        onSubmit={() => hour !== undefined && day !== undefined && change.mutate({ hour, day })}
        onCancel={onClose}
        error={change.error}
        isBusy={change.isPending}
        action="Save"
        isIncomplete={hour === undefined || day === undefined}
        noValidate
      >
        <CapFields currency={currency} texts={texts} onChange={setTexts} />
      </DialogForm>
    </Dialog>
  );
}
