import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import { formatMoney } from '../ui/formats.ts';
import { MoneyField, moneyText, parseMoney } from '../ui/money-field.tsx';
import { Panel } from '../ui/page.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';

type Alert = components['schemas']['BalanceAlert'];
type Balance = components['schemas']['Balance'];

/** Below which balance people are mailed. */
export function AlertPanel({ balance }: { balance: Balance | undefined }) {
  const { mayChange } = usePlace();
  const [isChanging, setIsChanging] = useState(false);
  const alert = balance?.alert ?? null;
  return (
    <Panel
      title="Mail when it runs low"
      actions={
        mayChange &&
        balance !== undefined && (
          <Button size="small" onClick={() => setIsChanging(true)}>
            {alert === null ? 'Set an amount' : 'Change'}
            {alert !== null && <span className="sr-only"> the mail about a low balance</span>}
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
  const { currency } = usePlace();
  if (alert === null) return <p className="text-soft">Nobody is mailed when the balance runs low.</p>;
  return (
    <>
      <p>
        Admins and the billing contact get a mail when the balance falls below{' '}
        <strong className="whitespace-nowrap tabular-nums">{formatMoney(alert.threshold, currency)}</strong>.
      </p>
      {alert.warned_at !== null && (
        <p className="mt-2 text-soft">
          The last mail went out <Time at={alert.warned_at} />. The next one follows after the balance was above the
          amount again.
        </p>
      )}
    </>
  );
}

function AlertDialog({ alert, onClose }: { alert: Alert | null; onClose: () => void }) {
  const { path, currency } = usePlace();
  const [text, setText] = useState(alert === null ? '' : moneyText(alert.threshold));
  const queryClient = useQueryClient();
  const say = useToast();
  const threshold = parseMoney(text, Number.MAX_SAFE_INTEGER);
  const change = useMutation({
    mutationFn: (cents: number | null) =>
      unwrap(
        api.PUT('/portal/api/organizations/{organization_id}/{environment}/balance/alert', {
          params: { path },
          body: { threshold: cents },
        }),
      ),
    onSuccess: async (_answer, cents) => {
      await queryClient.invalidateQueries({ queryKey: ['balance'] });
      say(cents === null ? 'Nobody is mailed any more.' : `A mail goes out below ${formatMoney(cents, currency)}.`);
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Mail when the balance runs low"
      description="It goes to all admins and the billing contact: once, and again after the balance was filled."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (threshold !== undefined) change.mutate(threshold);
        }}
      >
        <MoneyField
          label="Mail below"
          currency={currency}
          value={text}
          onChange={setText}
          mostCents={Number.MAX_SAFE_INTEGER}
        />
        <FormError error={change.error} />
        <DialogActions>
          {alert !== null && (
            <Button variant="danger" onClick={() => change.mutate(null)} isBusy={change.isPending}>
              Send no mail
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={change.isPending} disabled={threshold === undefined}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
