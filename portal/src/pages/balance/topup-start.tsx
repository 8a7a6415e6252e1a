import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { MoneyField, parseMoney } from '../../ui/money-field.tsx';
import { Facts } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';

type Options = components['schemas']['TopupOptions'];

/** As the server counts it: rounded up. */
const feeOf = ({ basis_points, cents }: Options['card_fee'], amount: number) =>
  Math.ceil((amount * basis_points) / 10_000) + cents;

/** Asks for an amount, shows the fee, and leads to the payment provider's page. */
export function TopupDialog({ options, onClose }: { options: Options; onClose: () => void }) {
  const { organizationId, currency } = useScope();
  const [text, setText] = useState('1000.00');
  const parsed = parseMoney(text, currency, options.largest);
  const amount = parsed !== undefined && parsed >= options.smallest ? parsed : undefined;
  const start = useAct({
    send: (cents: number) =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/live/topups`, {
          params: { path: { organization_id: organizationId } },
          body: { amount: cents },
        }),
      ),
    onDone: ({ url }) => window.location.assign(url),
  });
  const fee = feeOf(options.card_fee, amount ?? 0);
  return (
    <Dialog isOpen onClose={onClose} title="Add funds by card" description="You pay on a page of Stripe.">
      <DialogForm
        onSubmit={() => amount !== undefined && start.mutate(amount)}
        onCancel={onClose}
        error={start.error}
        isBusy={start.isPending}
        action="Continue to payment"
        isIncomplete={amount === undefined}
        noValidate
      >
        <MoneyField
          label="Amount"
          currency={currency}
          hint={`From ${formatRoundMoney(options.smallest, currency)} to ${formatRoundMoney(options.largest, currency)}.`}
          value={text}
          onChange={setText}
          mostCents={options.largest}
        />
        {amount !== undefined && (
          <div className="mt-4">
            <Facts
              facts={[
                ['Added to the balance', formatMoney(amount, currency)],
                ['Card fee', formatMoney(fee, currency)],
                ['You pay', <strong key="total">{formatMoney(amount + fee, currency)}</strong>],
              ]}
            />
          </div>
        )}
      </DialogForm>
    </Dialog>
  );
}
