import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of automatic top-ups. */
interface TopupActions {
  /** Null amounts: switched off. */
  'automatic_topup.set': {
    threshold_cents: number | null;
    amount_cents: number | null;
    monthly_cap_cents: number | null;
  };
}

export const topupSentences: Sentences<TopupActions> = {
  'automatic_topup.set': ({ threshold_cents, amount_cents, monthly_cap_cents }, money) =>
    threshold_cents === null
      ? 'Switched automatic top-ups off'
      : `Switched automatic top-ups on: below ${money(threshold_cents)}, by or to ${money(amount_cents ?? 0)}, at most ${money(monthly_cap_cents ?? 0)} a month`,
};

export const recordEvent: RecordEvent<TopupActions> = recordAction;
