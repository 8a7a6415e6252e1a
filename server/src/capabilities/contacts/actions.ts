import { type Nothing, plural } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of contacts. */
interface ContactActions {
  'contact.added': Nothing;
  'contact.changed': Nothing;
  'contact.removed': { gifts_canceled?: number; refunded_cents?: number };
  'contacts.imported': { added: number; changed: number };
  'contacts.exported': Nothing;
}

export const contactSentences: Sentences<ContactActions> = {
  'contact.added': () => 'Added a contact',
  'contact.changed': () => 'Changed a contact',
  'contact.removed': ({ gifts_canceled = 0, refunded_cents = 0 }, money) =>
    gifts_canceled === 0
      ? 'Deleted a contact'
      : `Deleted a contact, and canceled ${plural(gifts_canceled, 'gift')} for ${money(refunded_cents)}`,
  'contacts.imported': ({ added, changed }) => `Imported contacts: ${added} added and ${changed} changed`,
  'contacts.exported': () => 'Exported contacts with their addresses',
};

export const recordEvent: RecordEvent<ContactActions> = recordAction;
