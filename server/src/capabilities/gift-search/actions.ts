import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of looks for gifts. */
interface SearchActions {
  'gifts.looked_up': { gifts: number };
}

export const searchSentences: Sentences<SearchActions> = {
  'gifts.looked_up': ({ gifts }) => `Looked ${plural(gifts, 'gift')} up by a recipient’s address`,
};

export const recordEvent: RecordEvent<SearchActions> = recordAction;
