import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { MoneyField, parseMoney } from '../../ui/money-field.tsx';
import { useAct } from '../../ui/use-act.ts';

/** Adds test funds to the sandbox balance. */
export function TestFundsDialog({ mostCents, onClose }: { mostCents: number; onClose: () => void }) {
  const { organizationId, currency } = useScope();
  const [text, setText] = useState('1000.00');
  const amount = parseMoney(text, currency, mostCents);
  const addition = useAct({
    send: (cents: number) =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/sandbox/balance/test-funds`, {
          params: { path: { organization_id: organizationId } },
          body: { amount: cents },
        }),
      ),
    done: (_balance, cents) => `${formatMoney(cents, currency)} of test funds added.`,
    onDone: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title="Add test funds" description="Test money, available immediately.">
      <DialogForm
        onSubmit={() => amount !== undefined && addition.mutate(amount)}
        onCancel={onClose}
        error={addition.error}
        isBusy={addition.isPending}
        action="Add test funds"
        isIncomplete={amount === undefined}
      >
        <MoneyField
          label="Amount"
          currency={currency}
          hint={`Up to ${formatRoundMoney(mostCents, currency)} at a time.`}
          value={text}
          onChange={setText}
          mostCents={mostCents}
        />
      </DialogForm>
    </Dialog>
  );
}
