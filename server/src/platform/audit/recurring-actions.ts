import { type Nothing, plural } from './details.ts';

/** What is recorded of gifts that are sent again and again: their contacts and templates. */
export interface RecurringDetails {
  'contact.added': Nothing;
  'contact.changed': Nothing;
  'contact.removed': { gifts_canceled?: number; refunded_cents?: number };
  'contacts.imported': { added: number; changed: number };
  'contacts.exported': Nothing;
  'gift_template.added': { name: string };
  'gift_template.changed': { name: string };
  'gift_template.removed': { name: string };
  'yearly_rule.added': RuleDetails;
  'yearly_rule.changed': RuleDetails;
  'yearly_rule.removed': { name: string };
  /** `name`: the rule's. */
  'yearly_gift.skipped': SkipDetails;
  'yearly_gift.unskipped': SkipDetails;
}

/** Null: nothing is bought without an approval. */
interface RuleDetails {
  name: string;
  mode: 'approval' | 'sends';
  limit_cents: number | null;
  is_paused: boolean;
}

interface SkipDetails {
  name: string;
  year: number;
  contact_id: string;
}

type Sentences = {
  [Name in keyof RecurringDetails]: (details: RecurringDetails[Name], money: (cents: number) => string) => string;
};

const ruleText = ({ name, limit_cents, is_paused }: RuleDetails, money: (cents: number) => string) =>
  `the rule “${name}” of yearly gifts (${is_paused ? 'paused, ' : ''}${limit_cents === null ? 'with approval' : `up to ${money(limit_cents)} a year`})`;

export const recurringSentences: Sentences = {
  'contact.added': () => 'Added a contact',
  'contact.changed': () => 'Changed a contact',
  'contact.removed': ({ gifts_canceled = 0, refunded_cents = 0 }, money) =>
    gifts_canceled === 0
      ? 'Deleted a contact'
      : `Deleted a contact, and canceled ${plural(gifts_canceled, 'gift')} for ${money(refunded_cents)}`,
  'contacts.imported': ({ added, changed }) => `Imported contacts: ${added} added and ${changed} changed`,
  'contacts.exported': () => 'Exported contacts with their addresses',
  'gift_template.added': ({ name }) => `Added the gift template “${name}”`,
  'gift_template.changed': ({ name }) => `Changed the gift template “${name}”`,
  'gift_template.removed': ({ name }) => `Deleted the gift template “${name}”`,
  'yearly_rule.added': (details, money) => `Added ${ruleText(details, money)}`,
  'yearly_rule.changed': (details, money) => `Changed ${ruleText(details, money)}`,
  'yearly_rule.removed': ({ name }) => `Deleted the rule “${name}” of yearly gifts`,
  'yearly_gift.skipped': ({ name, year }) => `Skipped a gift of the rule “${name}” in ${year}`,
  'yearly_gift.unskipped': ({ name, year }) => `Let a skipped gift of the rule “${name}” come again in ${year}`,
};
