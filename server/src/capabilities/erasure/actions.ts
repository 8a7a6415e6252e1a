import { plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of what is erased. */
interface ErasureActions {
  'sandbox.deleted': Emptied;
  'sandbox.reset': Emptied;
  /** Nothing that identifies the recipient. */
  'recipient.erased': { gifts: number; orders_processing: number };
}

interface Emptied {
  orders_deleted: number;
  gifts_deleted: number;
}

const contents = ({ orders_deleted, gifts_deleted }: Emptied) =>
  `${plural(orders_deleted, 'order')} and ${plural(gifts_deleted, 'gift')}`;

export const erasureSentences: Sentences<ErasureActions> = {
  'sandbox.deleted': (details) => `Deleted the sandbox with ${contents(details)}`,
  'sandbox.reset': (details) => `Reset the sandbox: ${contents(details)} deleted`,
  'recipient.erased': ({ gifts, orders_processing }) =>
    `Erased a recipient’s name and address from ${plural(gifts, 'gift')}${orders_processing === 0 ? '' : ` and ${plural(orders_processing, 'processing order')}`}`,
};

export const recordEvent: RecordEvent<ErasureActions> = recordAction;
