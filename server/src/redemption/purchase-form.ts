import type { TestPurchase } from '../cards/spend-card.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const AMOUNT = /^(\d{1,4})(?:[.,](\d{1,2}))?$/;

/**
 * What the form of a test purchase says; undefined where the amount is none. The form's own id makes two presses of its
 * button one purchase.
 *
 * @param body as a browser sends a form: `amount=5.00&purchase_id=…`
 */
export function readPurchaseForm(body: string): (TestPurchase & { amountCents: number }) | undefined {
  const fields = new URLSearchParams(body);
  const purchaseId = fields.get('purchase_id') ?? '';
  const [, whole, fraction = ''] = AMOUNT.exec((fields.get('amount') ?? '').trim()) ?? [];
  const amountCents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return UUID.test(purchaseId) && amountCents > 0 ? { purchaseId, amountCents } : undefined;
}
