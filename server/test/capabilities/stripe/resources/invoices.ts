import type { Account, Json } from '../account.ts';

/** The paid invoice that a checkout creates if it is asked to. */
export function addInvoice(account: Account, session: Json, intent: Json): Json {
  const { amount_total: total, currency, customer } = session;
  const now = account.now();
  const invoice = account.add('in', 'invoice', {
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: total,
    amount_paid_off_stripe: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: true,
    auto_advance: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    collection_method: 'charge_automatically',
    currency,
    customer,
    default_tax_rates: [],
    discounts: [],
    issuer: { type: 'self' },
    lines: { object: 'list', data: [], has_more: false, url: '/v1/invoices/lines' },
    metadata: intent.metadata,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status: 'paid',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: now, voided_at: null },
    subtotal: total,
    total,
  });
  invoice.number = `BESTOW-${String(account.all('invoice').length).padStart(4, '0')}`;
  invoice.hosted_invoice_url = `https://invoice.stripe.com/i/${invoice.id}`;
  invoice.invoice_pdf = `https://pay.stripe.com/invoice/${invoice.id}/pdf`;
  return invoice;
}
