import type { operations } from '../../api/schema.d.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { LEAST_CENTS, MOST_CENTS } from '../../base/gift-limits.ts';
import { categoryOptions } from '../../ui/category.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type Language, languageChoices } from '../../ui/languages.ts';
import { MoneyField, moneyText, parseMoney } from '../../ui/money-field.tsx';
import { MessageField } from '../gift-form/message-field.tsx';
import type { GiftTemplate } from './template.ts';

export type TemplateToSave = operations['addGiftTemplate']['requestBody']['content']['application/json'];

/** A template as a person writes it. */
export interface TemplateDraft {
  name: string;
  amount: string;
  category: string;
  sender: string;
  message: string;
  language: Language | '';
}

export const templateDraftOf = (template: GiftTemplate | undefined): TemplateDraft => ({
  name: template?.name ?? '',
  amount: moneyText(template?.amount),
  category: template?.category ?? '',
  sender: template?.sender_name ?? '',
  message: template?.message ?? '',
  language: (template?.language ?? '') as Language | '',
});

/** What saving it sends; undefined if something is missing. */
export function templateBodyOf(draft: TemplateDraft, currency: string): TemplateToSave | undefined {
  const amount = parseMoney(draft.amount, currency, MOST_CENTS, LEAST_CENTS);
  const name = draft.name.trim();
  if (amount === undefined || name === '' || draft.category === '') return undefined;
  return {
    name,
    amount,
    category: draft.category,
    sender_name: draft.sender.trim() || null,
    message: draft.message.trim() || null,
    language: draft.language || null,
  };
}

interface TemplateFieldsProps {
  draft: TemplateDraft;
  nameFault: string | undefined;
  messageFault?: string | undefined;
  /** Of a name that is left empty. */
  usualName?: string;
  onChange: (change: Partial<TemplateDraft>) => void;
}

/** What gifts have in common. */
export function TemplateFields({ draft, nameFault, messageFault, usualName, onChange }: TemplateFieldsProps) {
  const { currency, membership } = useScope();
  const { choices } = useCategories();
  return (
    <>
      <TextField
        label="Name of the template"
        placeholder={usualName}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        error={nameFault}
        maxLength={60}
        autoComplete="off"
      />
      <div className="mt-4 grid gap-4 *:mt-0! sm:grid-cols-2">
        <MoneyField
          label="Amount"
          currency={currency}
          hint="From 10.00 to 500.00."
          value={draft.amount}
          onChange={(text) => onChange({ amount: text })}
          leastCents={1}
          mostCents={MOST_CENTS}
        />
        <SelectField
          label="Category"
          value={draft.category}
          onChange={(category) => onChange({ category })}
          options={[{ value: '', label: 'Choose a category' }, ...categoryOptions(choices)]}
        />
        <TextField
          label="Sender’s name (optional)"
          placeholder={membership.organization_name}
          value={draft.sender}
          onChange={(sender) => onChange({ sender })}
          maxLength={200}
          autoComplete="off"
        />
        <SelectField
          label="Language"
          value={draft.language}
          onChange={(language) => onChange({ language })}
          options={languageChoices('Automatic')}
        />
      </div>
      <MessageField value={draft.message} error={messageFault} onChange={(message) => onChange({ message })} />
    </>
  );
}
