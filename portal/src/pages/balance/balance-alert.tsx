import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { MoneyField, moneyText, parseMoney } from '../../ui/money-field.tsx';
import { Panel } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';

type Alert = components['schemas']['BalanceAlert'];
type Balance = components['schemas']['Balance'];

/** Shows and changes the threshold of the low-balance alert. */
export function AlertPanel({ balance }: { balance: Balance | undefined }) {
  const { may } = useScope();
  const [isChanging, setIsChanging] = useState(false);
  const alert = balance?.alert ?? null;
  return (
    <Panel
      title="Low-balance alert"
      actions={
        may('pay') &&
        balance !== undefined && (
          <Button size="small" onClick={() => setIsChanging(true)}>
            {alert === null ? 'Set an amount' : 'Change'}
            {alert !== null && <span className="sr-only"> the low-balance alert</span>}
          </Button>
        )
      }
    >
      {balance === undefined ? <Skeleton lines={2} /> : <AlertText alert={alert} />}
      {isChanging && <AlertDialog alert={alert} onClose={() => setIsChanging(false)} />}
    </Panel>
  );
}

function AlertText({ alert }: { alert: Alert | null }) {
  const { currency } = useScope();
  if (alert === null) return <p className="text-soft">Off</p>;
  return (
    <>
      <p>
        Admins and the billing contact get an email when the balance falls below{' '}
        <strong className="whitespace-nowrap tabular-nums">{formatMoney(alert.threshold, currency)}</strong>.
      </p>
      {alert.warned_at !== null && (
        <p className="mt-2 text-soft">
          Last alert sent <Time at={alert.warned_at} />. The next one can be sent once the balance has been above this
          amount again.
        </p>
      )}
    </>
  );
}

function AlertDialog({ alert, onClose }: { alert: Alert | null; onClose: () => void }) {
  const { path, currency } = useScope();
  const [text, setText] = useState(moneyText(alert?.threshold));
  const threshold = parseMoney(text, currency);
  const change = useAct({
    send: (cents: number | null) =>
      unwrap(api.PUT(`${SCOPE_PATH}/balance/alert`, { params: { path }, body: { threshold: cents } })),
    done: (_answer, cents) =>
      cents === null ? 'Alert turned off.' : `Alert set at ${formatRoundMoney(cents, currency)}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Low-balance alert"
      description="We email all admins and the billing contact once, and again if the balance recovers and falls below the amount again."
    >
      <DialogForm
        onSubmit={() => threshold !== undefined && change.mutate(threshold)}
        onCancel={onClose}
        error={change.error}
        isBusy={change.isPending}
        action="Save"
        isIncomplete={threshold === undefined}
        extraButton={
          alert !== null && (
            <Button variant="danger" onClick={() => change.mutate(null)} isBusy={change.isPending}>
              Turn off
            </Button>
          )
        }
      >
        <MoneyField label="Alert below" currency={currency} value={text} onChange={setText} />
      </DialogForm>
    </Dialog>
  );
}
