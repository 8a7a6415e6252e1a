import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import { formatMoney } from '../ui/formats.ts';
import { MoneyField, parseMoney } from '../ui/money-field.tsx';
import { useToast } from '../ui/toast.tsx';

/** Asks how much, and adds it to the sandbox's balance. */
export function TestFundsDialog({ mostCents, onClose }: { mostCents: number; onClose: () => void }) {
  const { organizationId, currency } = usePlace();
  const [text, setText] = useState('1000.00');
  const queryClient = useQueryClient();
  const say = useToast();
  const amount = parseMoney(text, mostCents);
  const addition = useMutation({
    mutationFn: (cents: number) =>
      unwrap(
        api.POST('/portal/api/organizations/{organization_id}/sandbox/balance/test-funds', {
          params: { path: { organization_id: organizationId } },
          body: { amount: cents },
        }),
      ),
    onSuccess: async (_balance, cents) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['balance'] }),
        queryClient.invalidateQueries({ queryKey: ['overview'] }),
      ]);
      say(`${formatMoney(cents, currency)} of test funds were added.`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Add test funds" description="It is no money, and is there at once.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (amount !== undefined) addition.mutate(amount);
        }}
      >
        <MoneyField
          label="Amount"
          currency={currency}
          hint={`at most ${formatMoney(mostCents, currency)} at a time.`}
          value={text}
          onChange={setText}
          mostCents={mostCents}
        />
        <FormError error={addition.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={addition.isPending} disabled={amount === undefined}>
            Add test funds
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
