import { because, plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of gifts of a file. */
interface BatchActions {
  'batch.started': { gifts: number; amount_cents: number };
  /** What was not placed yet. */
  'batch.resumed': { gifts: number; amount_cents: number };
  'batch.canceled': { reason: string | null };
  /** `gifts`: those whose link is in the file. */
  'batch.links_exported': { gifts: number };
}

export const batchSentences: Sentences<BatchActions> = {
  'batch.started': ({ gifts, amount_cents }, money) =>
    `Started to send ${plural(gifts, 'gift')} from a file for ${money(amount_cents)}`,
  'batch.resumed': ({ gifts, amount_cents }, money) =>
    `Resumed to send ${plural(gifts, 'gift')} from a file for ${money(amount_cents)}`,
  'batch.canceled': ({ reason }) => `Canceled the unclaimed gifts of a file${because(reason)}`,
  'batch.links_exported': ({ gifts }) => `Exported the results of a file with the links of ${plural(gifts, 'gift')}`,
};

/** Those with a reason that a person wrote. */
export const batchWithReason: readonly (keyof BatchActions)[] = ['batch.canceled'];

export const recordEvent: RecordEvent<BatchActions> = recordAction;
