import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of codes in stock. */
interface StockActions {
  'codes.uploaded': { category: string; codes: number };
  'codes.released': { category: string; codes: number };
}

export const stockSentences: Sentences<StockActions> = {
  'codes.uploaded': ({ category, codes }) => `Added ${plural(codes, 'code')} to the stock of ${category}`,
  'codes.released': ({ category, codes }) => `Put ${plural(codes, 'code')} of ${category} back into stock`,
};

export const recordEvent: RecordEvent<StockActions> = recordAction;
