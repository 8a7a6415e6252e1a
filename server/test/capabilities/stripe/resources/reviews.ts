import type { Account, Json } from '../account.ts';

/** A payment that a person must approve; its money is there already. */
export function addReview(account: Account, { id, latest_charge }: Json): Json {
  const review = account.add('prv', 'review', {
    billing_zip: null,
    charge: latest_charge,
    closed_reason: null,
    ip_address: null,
    ip_address_location: null,
    open: true,
    opened_reason: 'rule',
    payment_intent: id,
    reason: 'rule',
    session: null,
  });
  account.emit('review.opened', review);
  return review;
}
