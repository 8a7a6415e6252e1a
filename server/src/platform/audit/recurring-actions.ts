import type { Nothing } from './details.ts';

/** What is recorded of gifts that are sent again and again: their contacts and templates. */
export interface RecurringDetails {
  'contact.added': Nothing;
  'contact.changed': Nothing;
  'contact.removed': Nothing;
  'contacts.imported': { added: number; changed: number };
  'contacts.exported': Nothing;
  'gift_template.added': { name: string };
  'gift_template.changed': { name: string };
  'gift_template.removed': { name: string };
}

type Sentences = { [Name in keyof RecurringDetails]: (details: RecurringDetails[Name]) => string };

export const recurringSentences: Sentences = {
  'contact.added': () => 'Added a contact',
  'contact.changed': () => 'Changed a contact',
  'contact.removed': () => 'Deleted a contact',
  'contacts.imported': ({ added, changed }) => `Imported contacts: ${added} added and ${changed} changed`,
  'contacts.exported': () => 'Exported contacts with their addresses',
  'gift_template.added': ({ name }) => `Added the gift template “${name}”`,
  'gift_template.changed': ({ name }) => `Changed the gift template “${name}”`,
  'gift_template.removed': ({ name }) => `Deleted the gift template “${name}”`,
};
