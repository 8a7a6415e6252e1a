import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences, type TakenAction } from '../../platform/audit/record-event.ts';

/** What is recorded of API keys. */
interface KeyActions {
  'key.created': KeyDetails;
  'key.imported': KeyDetails;
  'key.revoked': KeyDetails;
  /** `replaced_hint` is the earlier key's. */
  'key.rolled': KeyDetails & { replaced_hint: string; overlap_hours: number };
}

interface KeyDetails {
  name: string;
  /** Prefix and last four characters. */
  hint: string;
}

export const keySentences: Sentences<KeyActions> = {
  'key.created': ({ name }) => `Created the key “${name}”`,
  'key.imported': ({ name }) => `Imported the key “${name}”`,
  'key.revoked': ({ name }) => `Revoked the key “${name}”`,
  'key.rolled': ({ name, overlap_hours }) =>
    `Replaced the key “${name}” with an overlap of ${plural(overlap_hours, 'hour')}`,
};

export const recordEvent: RecordEvent<KeyActions> = recordAction;

export type TakenKeyAction = TakenAction<KeyActions>;
