import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of yearly gifts. */
interface YearlyActions {
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

const ruleText = ({ name, limit_cents, is_paused }: RuleDetails, money: (cents: number) => string) =>
  `the rule “${name}” of yearly gifts (${is_paused ? 'paused, ' : ''}${limit_cents === null ? 'with approval' : `up to ${money(limit_cents)} a year`})`;

export const yearlySentences: Sentences<YearlyActions> = {
  'yearly_rule.added': (details, money) => `Added ${ruleText(details, money)}`,
  'yearly_rule.changed': (details, money) => `Changed ${ruleText(details, money)}`,
  'yearly_rule.removed': ({ name }) => `Deleted the rule “${name}” of yearly gifts`,
  'yearly_gift.skipped': ({ name, year }) => `Skipped a gift of the rule “${name}” in ${year}`,
  'yearly_gift.unskipped': ({ name, year }) => `Let a skipped gift of the rule “${name}” come again in ${year}`,
};

export const recordEvent: RecordEvent<YearlyActions> = recordAction;
