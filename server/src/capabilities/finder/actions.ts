import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of people who look for their gifts. */
interface FinderActions {
  /** Null days: gifts do not expire. */
  'gifts.found': { gifts: number };
}

export const finderSentences: Sentences<FinderActions> = {
  'gifts.found': ({ gifts }) => `Saw ${gifts === 1 ? 'a gift' : `${gifts} gifts`} after a code to the address`,
};

export const recordEvent: RecordEvent<FinderActions> = recordAction;
