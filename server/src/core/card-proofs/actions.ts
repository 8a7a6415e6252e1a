import type { Nothing } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of proofs of cards. */
interface CardProofActions {
  'gift.card_reopened': Nothing;
}

export const cardProofSentences: Sentences<CardProofActions> = {
  'gift.card_reopened': () => 'Let another browser show the card of a gift',
};

export const recordEvent: RecordEvent<CardProofActions> = recordAction;
