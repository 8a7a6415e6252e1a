import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of cards. */
interface CardActions {
  'card.spent': { amount_cents: number };
}

export const cardSentences: Sentences<CardActions> = {
  'card.spent': ({ amount_cents }, money) => `Made a test purchase of ${money(amount_cents)} with a gift’s card`,
};

export const recordEvent: RecordEvent<CardActions> = recordAction;
