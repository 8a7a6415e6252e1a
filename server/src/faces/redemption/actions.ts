import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of a gift’s page. */
interface RedemptionActions {
  /** By the person who holds it, on the gift's page. */
  'card.revealed': { kind: 'card' | 'code' | 'link' };
}

const REVEALED = {
  card: 'Saw the number of a gift’s card',
  code: 'Saw the code of a gift',
  link: 'Opened the page of a gift at its issuer',
};

export const redemptionSentences: Sentences<RedemptionActions> = {
  'card.revealed': ({ kind }) => REVEALED[kind],
};

export const recordEvent: RecordEvent<RedemptionActions> = recordAction;
