import type { Language } from '../../ui/languages.ts';
import { moneyText, parseMoney } from '../../ui/money-field.tsx';
import { type TemplateDraft, templateDraftOf } from '../templates/template-fields.tsx';
import type { RuleToSave, YearlyRule } from './calendar.ts';
import { readZone, zoneText } from './time-zones.ts';

export const MOST_LIMIT_CENTS = 100_000_000;
const LEAST_LIMIT_CENTS = 1_000;
const MORNING = '9';
const USUAL_AMOUNT = '25.00';

/** A rule as a person writes it, with the gift if it has no template yet. */
export interface RuleDraft {
  name: string;
  /** Empty: every contact. */
  tag: string;
  occasion: RuleToSave['occasion'];
  /** Empty: the gift is written here. */
  template: string;
  /** Empty: as the rule’s. */
  templateName: string;
  amount: string;
  category: string;
  sender: string;
  message: string;
  language: Language | '';
  /** As the field has it. */
  zone: string;
  hour: string;
  mode: RuleToSave['mode'];
  limit: string;
}

export function ruleDraftOf(rule: YearlyRule | undefined): RuleDraft {
  const { name: _, ...gift } = templateDraftOf(undefined);
  return {
    ...gift,
    amount: USUAL_AMOUNT,
    templateName: '',
    name: rule?.name ?? nameOf('birthday'),
    tag: rule?.tag ?? '',
    occasion: rule?.occasion ?? 'birthday',
    template: rule?.template_id ?? '',
    zone: zoneText(rule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
    hour: String(rule?.hour ?? MORNING),
    mode: rule?.mode ?? 'approval',
    limit: moneyText(rule?.yearly_limit),
  };
}

/** Such as `Birthdays`. */
const nameOf = (occasion: RuleDraft['occasion']) => (occasion === 'birthday' ? 'Birthdays' : 'Work anniversaries');

/** Another day; a name that was not changed follows it. */
export const withOccasion = (draft: RuleDraft, occasion: RuleDraft['occasion']): Partial<RuleDraft> => ({
  occasion,
  ...(draft.name === nameOf(draft.occasion) && { name: nameOf(occasion) }),
});

/** The gift that is written in the rule. */
export const templateOf = ({
  name,
  templateName,
  amount,
  category,
  sender,
  message,
  language,
}: RuleDraft): TemplateDraft => ({
  name: templateName.trim() || name,
  amount,
  category,
  sender,
  message,
  language,
});

/** Null: the rule has none. Undefined: it is missing or too low. */
const limitOf = ({ mode, limit }: RuleDraft, currency: string): number | null | undefined =>
  mode === 'sends' ? parseMoney(limit, currency, MOST_LIMIT_CENTS, LEAST_LIMIT_CENTS) : null;

/** What saving it sends; undefined if something is missing. A template that is not saved yet is added to it. */
export function ruleBodyOf(draft: RuleDraft, currency: string, is_paused: boolean): RuleToSave | undefined {
  const [name, time_zone, yearly_limit] = [draft.name.trim(), readZone(draft.zone), limitOf(draft, currency)];
  if (name === '' || time_zone === undefined || yearly_limit === undefined) return undefined;
  return {
    name,
    tag: draft.tag || null,
    occasion: draft.occasion,
    template_id: draft.template,
    time_zone,
    hour: Number(draft.hour),
    mode: draft.mode,
    yearly_limit,
    is_paused,
  };
}
