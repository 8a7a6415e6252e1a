import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { CapFields, capTexts, readCaps } from '../../ui/cap-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { useAct } from '../../ui/use-act.ts';

type Caps = components['schemas']['SpendingCaps'];

const nameOf = ({ name }: Caps) => (name === null ? 'all orders' : `orders with “${name}”`);

/** What orders may cost per hour and day: all together, and with each active key. */
export function CapsPanel() {
  const { path, may } = useScope();
  const [changed, setChanged] = useState<Caps>();
  const caps = useQuery({
    queryKey: ['spending-caps', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/spending-caps`, { params: { path } })),
  });
  return (
    <Panel
      title="Spending caps"
      description="Orders beyond a cap are declined until the hour or the day ends (UTC). This limits what a stolen key can spend."
    >
      <DataTable
        caption="Spending caps"
        columns={may('settings') ? [...columns, actionColumn(setChanged)] : columns}
        query={caps}
        rowKey={({ key_id }) => key_id ?? 'all'}
        loadingLines={2}
        empty={<EmptyState title="No caps" />}
      />
      {changed !== undefined && <CapsDialog caps={changed} onClose={() => setChanged(undefined)} />}
    </Panel>
  );
}

const columns: Column<Caps>[] = [
  {
    header: 'Orders',
    cell: ({ name, hint }) => (
      <>
        <span className="font-semibold wrap-anywhere">{name ?? 'All orders'}</span>
        {hint !== null && <span className="mt-0.5 block font-mono text-[0.8125rem] text-soft">{hint}</span>}
      </>
    ),
  },
  {
    header: 'Caps',
    cell: ({ hour, day }) =>
      hour === null && day === null ? (
        <span className="text-soft">No cap</span>
      ) : (
        <>
          {hour !== null && <CapLine {...hour} period="hour" />}
          {day !== null && <CapLine {...day} period="day" />}
        </>
      ),
  },
];

function CapLine({ cap, spent, period }: { cap: number; spent: number; period: string }) {
  const { currency } = useScope();
  return (
    <span className="block tabular-nums">
      <span className="font-semibold">{formatRoundMoney(cap, currency)}</span> per {period}{' '}
      <span className="text-sm text-soft">({formatMoney(spent, currency)} spent)</span>
    </span>
  );
}

const actionColumn = (onChange: (caps: Caps) => void): Column<Caps> => ({
  header: 'Action',
  align: 'right',
  cell: (caps) => (
    <Button size="small" onClick={() => onChange(caps)} aria-label={`Change the caps of ${nameOf(caps)}`}>
      Change
    </Button>
  ),
});

function CapsDialog({ caps, onClose }: { caps: Caps; onClose: () => void }) {
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
