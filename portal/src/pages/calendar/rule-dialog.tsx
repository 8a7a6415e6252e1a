import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { MoneyField, moneyText, parseMoney } from '../../ui/money-field.tsx';
import { useTags } from '../contacts/contact.ts';
import { useTemplates } from '../templates/template.ts';
import { hourText, occasions, type RuleToSave, useCalendarChange, type YearlyRule } from './calendar.ts';

interface Draft {
  name: string;
  /** Empty: every contact. */
  tag: string;
  occasion: RuleToSave['occasion'];
  template: string;
  zone: string;
  hour: string;
  mode: RuleToSave['mode'];
  limit: string;
}

const MOST_LIMIT_CENTS = 100_000_000;
const LEAST_LIMIT_CENTS = 1_000;
const MORNING = '9';

const draftOf = (rule: YearlyRule | undefined): Draft => ({
  name: rule?.name ?? '',
  tag: rule?.tag ?? '',
  occasion: rule?.occasion ?? 'birthday',
  template: rule?.template_id ?? '',
  zone: rule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  hour: String(rule?.hour ?? MORNING),
  mode: rule?.mode ?? 'approval',
  limit: rule?.yearly_limit == null ? '' : moneyText(rule.yearly_limit),
});

const limitOf = ({ mode, limit }: Draft, currency: string): number | null | undefined =>
  mode === 'sends' ? parseMoney(limit, currency, MOST_LIMIT_CENTS) : null;

const bodyOf = (draft: Draft, yearly_limit: number | null, is_paused: boolean): RuleToSave => ({
  name: draft.name.trim(),
  tag: draft.tag || null,
  occasion: draft.occasion,
  template_id: draft.template,
  time_zone: draft.zone,
  hour: Number(draft.hour),
  mode: draft.mode,
  yearly_limit,
  is_paused,
});

/** @param rule undefined for a new one */
export function RuleDialog({ rule, onClose }: { rule?: YearlyRule; onClose: () => void }) {
  const { path, currency } = useScope();
  const [draft, setDraft] = useState(() => draftOf(rule));
  const limit = limitOf(draft, currency);
  const isTooLow = typeof limit === 'number' && limit < LEAST_LIMIT_CENTS;
  const saving = useCalendarChange(
    (body: RuleToSave) => {
      if (rule === undefined) return unwrap(api.POST(`${SCOPE_PATH}/yearly-rules`, { params: { path }, body }));
      const params = { path: { ...path, rule_id: rule.rule_id } };
      return unwrap(api.PUT(`${SCOPE_PATH}/yearly-rules/{rule_id}`, { params, body }));
    },
    () => 'Rule saved.',
  );
  const nameFault =
    saving.error instanceof ApiError && saving.error.param === 'name' ? saving.error.message : undefined;
  const isIncomplete = draft.name.trim() === '' || draft.template === '' || limit === undefined || isTooLow;
  return (
    <Dialog
      isOpen
      isHeld={saving.isPending}
      onClose={onClose}
      title={rule === undefined ? 'Add a rule' : 'Edit the rule'}
    >
      <DialogForm
        noValidate
        onSubmit={() => saving.mutate(bodyOf(draft, limit ?? null, rule?.is_paused ?? false), { onSuccess: onClose })}
        onCancel={onClose}
        error={nameFault === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action="Save rule"
        isIncomplete={isIncomplete}
        isCancelDisabled={saving.isPending}
      >
        <WhoFields draft={draft} nameFault={nameFault} onChange={(change) => setDraft({ ...draft, ...change })} />
        <HowFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      </DialogForm>
    </Dialog>
  );
}

interface FieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

/** A tag or a zone that the list does not have keeps its place. */
const withOwn = (values: readonly string[], own: string) =>
  own === '' || values.includes(own) ? values : [own, ...values];

function WhoFields({ draft, nameFault, onChange }: FieldsProps & { nameFault: string | undefined }) {
  const { currency } = useScope();
  const templates = useTemplates();
  const choices = templates.data?.data ?? [];
  const tags = withOwn(
    useTags().map(({ tag }) => tag),
    draft.tag,
  );
  return (
    <>
      <TextField
        label="Name of the rule"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        error={nameFault}
        maxLength={60}
        autoComplete="off"
      />
      <div className="mt-4 grid gap-4 *:mt-0! sm:grid-cols-2">
        <SelectField
          label="Contacts"
          value={draft.tag}
          onChange={(tag) => onChange({ tag })}
          options={[{ value: '', label: 'All' }, ...tags.map((tag) => ({ value: tag, label: `With the tag ${tag}` }))]}
        />
        <SelectField
          label="Day"
          value={draft.occasion}
          onChange={(occasion) => onChange({ occasion })}
          options={Object.entries(occasions).map(([value, label]) => ({ value: value as Draft['occasion'], label }))}
        />
      </div>
      <SelectField
        label="Template of the gift"
        value={draft.template}
        onChange={(template) => onChange({ template })}
        options={[
          { value: '', label: 'Choose a template' },
          ...choices.map(({ template_id, name, amount }) => ({
            value: template_id,
            label: `${name}, ${formatMoney(amount, currency)}`,
          })),
        ]}
        hint={
          templates.data !== undefined && choices.length === 0
            ? 'There are none. Add one under Gifts, Templates.'
            : 'If the template changes, later gifts change with it.'
        }
      />
    </>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

function HowFields({ draft, onChange }: FieldsProps) {
  const { currency } = useScope();
  const zones = withOwn(['UTC', ...Intl.supportedValuesOf('timeZone')], draft.zone);
  return (
    <>
      <SelectField
        label="How gifts are sent"
        value={draft.mode}
        onChange={(mode) => onChange({ mode })}
        options={[
          { value: 'approval', label: 'An admin approves each' },
          { value: 'sends', label: 'By itself, within a limit' },
        ]}
        hint={
          draft.mode === 'approval'
            ? 'Each waits under Approvals a week before its day.'
            : 'Without a question, in your name. An email tells the admins a week before.'
        }
      />
      {draft.mode === 'sends' && (
        <MoneyField
          label="Most in a calendar year"
          currency={currency}
          hint="At least 10.00."
          value={draft.limit}
          onChange={(limit) => onChange({ limit })}
          mostCents={MOST_LIMIT_CENTS}
        />
      )}
      <div className="mt-4 grid gap-4 *:mt-0! sm:grid-cols-2">
        <SelectField label="Hour" value={draft.hour} onChange={(hour) => onChange({ hour })} options={hours} />
        <SelectField
          label="Time zone"
          value={draft.zone}
          onChange={(zone) => onChange({ zone })}
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
      </div>
    </>
  );
}
