import { useScope } from '../../api/use-scope.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { MoneyField } from '../../ui/money-field.tsx';
import { SuggestionField } from '../../ui/suggestion-field.tsx';
import { useTags } from '../contacts/contact.ts';
import type { GiftTemplate } from '../templates/template.ts';
import { TemplateFields } from '../templates/template-fields.tsx';
import { hourText, occasions } from './calendar.ts';
import { MOST_LIMIT_CENTS, type RuleDraft, templateOf, withOccasion } from './rule-draft.ts';
import { findZones, readZone, zoneText } from './time-zones.ts';

interface FieldsProps {
  draft: RuleDraft;
  onChange: (change: Partial<RuleDraft>) => void;
}

interface NamedProps extends FieldsProps {
  nameFault: string | undefined;
}

/** Whose day it is. */
export function WhoFields({ draft, isKnown, nameFault, onChange }: NamedProps & { isKnown: boolean }) {
  const known = useTags().map(({ tag }) => tag);
  // A tag that the list does not have keeps its place.
  const tags = draft.tag === '' || known.includes(draft.tag) ? known : [draft.tag, ...known];
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
          onChange={(occasion) => onChange(withOccasion(draft, occasion))}
          options={Object.entries(occasions)
            .map(([value, label]) => ({ value: value as RuleDraft['occasion'], label }))
            .filter(({ value }) => !isKnown || value === draft.occasion)}
          hint={isKnown ? 'It stays. Add a rule for the other day.' : undefined}
        />
      </div>
    </>
  );
}

/** What they get: a template, or a gift that is written here and becomes one. */
export function GiftFields({
  draft,
  nameFault,
  messageFault,
  templates,
  onChange,
}: NamedProps & { messageFault: string | undefined; templates: readonly GiftTemplate[] }) {
  const { currency } = useScope();
  const isWritten = draft.template === '';
  return (
    <>
      <SelectField
        label="Template of the gift"
        value={draft.template}
        onChange={(template) => onChange({ template })}
        options={[
          { value: '', label: 'A new one, written below' },
          ...templates.map(({ template_id, name, amount }) => ({
            value: template_id,
            label: `${name}, ${formatMoney(amount, currency)}`,
          })),
        ]}
        hint={
          isWritten
            ? 'The gift is saved as a template, which other gifts can use too.'
            : 'If the template changes, later gifts change with it.'
        }
      />
      {isWritten && (
        <div className="mt-4">
          <TemplateFields
            draft={{ ...templateOf(draft), name: draft.templateName }}
            nameFault={nameFault}
            messageFault={messageFault}
            usualName={draft.name}
            onChange={({ name, ...gift }) => onChange({ ...gift, ...(name !== undefined && { templateName: name }) })}
          />
        </div>
      )}
    </>
  );
}

const zoneOptions = (text: string) => findZones(text).map((zone) => ({ key: zone, label: zoneText(zone) }));

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

/** How and when gifts are sent. */
export function HowFields({ draft, onChange }: FieldsProps) {
  const { currency } = useScope();
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
        <SuggestionField
          label="Time zone"
          value={draft.zone}
          onChange={(zone) => onChange({ zone })}
          suggestions={zoneOptions(draft.zone)}
          counted="time zone"
          onChoose={({ label }) => onChange({ zone: label })}
          onFocus={({ target }) => target.select()}
          error={readZone(draft.zone) === undefined ? 'Type a city, such as Berlin, and choose its zone.' : undefined}
          spellCheck={false}
        />
      </div>
    </>
  );
}
