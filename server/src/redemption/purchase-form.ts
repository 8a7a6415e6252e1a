import type { TestPurchase } from '../cards/spend-card.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Characters; `1234,56` and nothing longer is an amount. */
export const AMOUNT_FIELD_LENGTH = 7;
const AMOUNT = /^(\d{1,4})(?:[.,](\d{1,2}))?$/;

interface PurchaseForm {
  /** The amount as it was typed, to be shown again; not more than the field takes. */
  typed: string;
  /** Undefined where the amount is none. */
  purchase: (TestPurchase & { amountCents: number }) | undefined;
}

/**
 * What the form of a test purchase says. The form's own id makes two presses of its button one purchase.
 *
 * @param body as a browser sends a form: `amount=5.00&purchase_id=…`
 */
export function readPurchaseForm(body: string): PurchaseForm {
  const fields = new URLSearchParams(body);
  const typed = fields.get('amount') ?? '';
  const purchaseId = fields.get('purchase_id') ?? '';
  const [, whole, fraction = ''] = AMOUNT.exec(typed.trim()) ?? [];
  const amountCents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  const isGood = UUID.test(purchaseId) && amountCents > 0;
  return { typed: typed.slice(0, AMOUNT_FIELD_LENGTH), purchase: isGood ? { purchaseId, amountCents } : undefined };
}
