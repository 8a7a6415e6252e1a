import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of restores. */
interface RestoreActions {
  'database.restored': { restored_to: string; codes_set_aside: number };
}

export const restoreSentences: Sentences<RestoreActions> = {
  'database.restored': ({ restored_to, codes_set_aside }) =>
    `Restored the database to ${restored_to} and set ${plural(codes_set_aside, 'code')} aside`,
};

export const recordEvent: RecordEvent<RestoreActions> = recordAction;
