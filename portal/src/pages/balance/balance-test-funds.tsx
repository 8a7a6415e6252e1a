import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { MoneyField, parseMoney } from '../../ui/money-field.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Adds test funds to the sandbox balance. */
export function TestFundsDialog({ mostCents, onClose }: { mostCents: number; onClose: () => void }) {
  const { organizationId, currency } = useScope();
  const [text, setText] = useState('1000.00');
  const queryClient = useQueryClient();
  const showToast = useToast();
  const amount = parseMoney(text, currency, mostCents);
  const addition = useMutation({
    mutationFn: (cents: number) =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/sandbox/balance/test-funds`, {
          params: { path: { organization_id: organizationId } },
          body: { amount: cents },
        }),
      ),
    onSuccess: async (_balance, cents) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['balance'] }),
        queryClient.invalidateQueries({ queryKey: ['overview'] }),
      ]);
      showToast(`${formatMoney(cents, currency)} of test funds added.`);
      onClose();
    },
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
