import type { FinishedRestore } from './finish-restore.ts';

/** Returns what a person must check by hand after a restore, a sentence each. */
export function listChecks({
  restored_to,
  codes_set_aside,
  events_since,
  payment_events,
  cards,
  issuers_silent,
}: FinishedRestore): string[] {
  return [
    `Do again what was done after ${restored_to} and must hold: erasures, revoked keys, suspensions, deactivated members, holds.`,
    `Add again the balance that people added by hand since then, with the same references.${payment_events === null ? '' : ' Top-ups by Stripe come back by themselves: do not add them.'}`,
    ...(codes_set_aside > 0
      ? [
          'Ask each shop which of the codes in stock are unused, and release those with bestow issuer release FILE --category CATEGORY, from a file with the columns code and shop. Codes that were uploaded since then are gone: upload only those that the shop says are unused.',
        ]
      : []),
    ...(events_since > 0
      ? [
          `${events_since} events of the time after ${restored_to} were there before this command: tell readers of the feed and receivers of webhooks to read everything since then again.`,
        ]
      : []),
    ...cards.map(({ card, gift_id, issuer_id, waits_for_claim }) => {
      const where = `Card ${card} of ${issuer_id}`;
      if (gift_id === null)
        return `${where} is of a gift that is gone: look at the issuer what it paid, and close it there.`;
      return waits_for_claim
        ? `${where} is of the unclaimed gift ${gift_id}, and pays nothing until the recipient claims again and gets this card: look at the issuer what it paid before you cancel the gift.`
        : `${where} is of the gift ${gift_id}, which has another card or is canceled: look at the issuer what it paid, and close it there.`;
    }),
    ...issuers_silent.map(
      ({ issuer_id, reason }) =>
        `${issuer_id} did not say which cards it made (${reason}): run this command again when it answers.`,
    ),
  ];
}
