import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { LEAST_CENTS, LONGEST_MESSAGE, MOST_CENTS } from '../../base/gift-limits.ts';
import { categoryOptions } from '../../ui/category.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type Language, languageChoices } from '../../ui/languages.ts';
import { MoneyField, moneyText, parseMoney } from '../../ui/money-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { GiftTemplate } from './template.ts';

interface Draft {
  name: string;
  amount: string;
  category: string;
  sender: string;
  message: string;
  language: Language | '';
}

const draftOf = (template: GiftTemplate | undefined): Draft => ({
  name: template?.name ?? '',
  amount: template === undefined ? '' : moneyText(template.amount),
  category: template?.category ?? '',
  sender: template?.sender_name ?? '',
  message: template?.message ?? '',
  language: (template?.language ?? '') as Language | '',
});

/** @param template undefined for a new one */
export function TemplateDialog({ template, onClose }: { template?: GiftTemplate; onClose: () => void }) {
  const { path, currency } = useScope();
  const [draft, setDraft] = useState(() => draftOf(template));
  const queryClient = useQueryClient();
  const showToast = useToast();
  const amount = parseMoney(draft.amount, currency, MOST_CENTS, LEAST_CENTS);
  const saving = useMutation({
    mutationFn: async () => {
      const body = {
        name: draft.name.trim(),
        amount: amount ?? 0,
        category: draft.category,
        sender_name: draft.sender.trim() || null,
        message: draft.message.trim() || null,
        language: draft.language || null,
      };
      if (template === undefined) return unwrap(api.POST(`${SCOPE_PATH}/gift-templates`, { params: { path }, body }));
      const params = { path: { ...path, template_id: template.template_id } };
      return unwrap(api.PUT(`${SCOPE_PATH}/gift-templates/{template_id}`, { params, body }));
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['gift-templates'] });
      showToast('Template saved.');
      onClose();
    },
  });
  const nameFault =
    saving.error instanceof ApiError && saving.error.param === 'name' ? saving.error.message : undefined;
  return (
    <Dialog
      isOpen
      isHeld={saving.isPending}
      onClose={onClose}
      title={template === undefined ? 'Add a template' : 'Edit the template'}
    >
      <DialogForm
        noValidate
        onSubmit={() => saving.mutate()}
        onCancel={onClose}
        error={nameFault === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action="Save template"
        isIncomplete={draft.name.trim() === '' || draft.category === '' || amount === undefined}
        isCancelDisabled={saving.isPending}
      >
        <TemplateFields draft={draft} nameFault={nameFault} onChange={(change) => setDraft({ ...draft, ...change })} />
      </DialogForm>
    </Dialog>
  );
}

interface TemplateFieldsProps {
  draft: Draft;
  nameFault: string | undefined;
  onChange: (change: Partial<Draft>) => void;
}

function TemplateFields({ draft, nameFault, onChange }: TemplateFieldsProps) {
  const { currency, membership } = useScope();
  const { choices } = useCategories();
  return (
    <>
      <TextField
        label="Name of the template"
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
      <TextArea
        label="Message (optional)"
        hint="Plain text; line breaks are kept."
        error={undefined}
        most={LONGEST_MESSAGE}
        value={draft.message}
        onChange={(message) => onChange({ message })}
      />
    </>
  );
}
