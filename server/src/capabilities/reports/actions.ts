import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of what is told of a recipient. */
interface ReportActions {
  'recipient.exported': { gifts: number };
}

export const reportSentences: Sentences<ReportActions> = {
  'recipient.exported': ({ gifts }) => `Exported what is held of a recipient, with ${plural(gifts, 'gift')}`,
};

export const recordEvent: RecordEvent<ReportActions> = recordAction;
