import type { TestPurchase } from '../../core/cards/spend-card.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Length of the longest amount, `1234,56`. */
export const AMOUNT_FIELD_LENGTH = 7;
const AMOUNT = /^(\d{1,4})(?:[.,](\d{1,2}))?$/;

interface PurchaseForm {
  /** The amount as typed, cut to the length of the field. */
  typed: string;
  /** Undefined if the form is invalid. */
  purchase: (TestPurchase & { amountCents: number }) | undefined;
}

/**
 * Reads the form of a test purchase. Because of the form's id, two presses of its button are one purchase.
 *
 * @param body such as `amount=5.00&purchase_id=…`
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
