import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of balances. */
interface BalanceActions {
  'balance.funded': BalanceChanged;
  'balance.adjusted': BalanceChanged;
  'balance.requested': BalanceChanged;
  'balance.declined': BalanceChanged;
  'balance_alert.set': { threshold_cents: number | null };
}

interface BalanceChanged {
  amount_cents: number;
  reference: string | null;
  note: string | null;
}

const reason = ({ reference, note }: BalanceChanged) =>
  [reference === null ? '' : ` (${reference})`, note === null ? '' : `: ${note}`].join('');

export const balanceSentences: Sentences<BalanceActions> = {
  'balance.funded': (details, money) => `Added ${money(details.amount_cents)} to the balance${reason(details)}`,
  'balance.adjusted': (details, money) => `Corrected the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance.requested': (details, money) =>
    `Asked to change the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance.declined': (details, money) =>
    `Declined to change the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance_alert.set': ({ threshold_cents }, money) =>
    threshold_cents === null
      ? 'Turned off the low-balance alert'
      : `Set the low-balance alert to ${money(threshold_cents)}`,
};

export const recordEvent: RecordEvent<BalanceActions> = recordAction;
