import { useEffect } from 'react';
import { TextField } from '../../ui/field.tsx';
import { type Draft, type Faults, isOfPreset, ofPreset } from './agent-draft.ts';
import { Choice, FieldGroup, LimitFields } from './agent-fields.tsx';
import { CategoryFields, PermissionFields, ReachFields, RecipientFields } from './agent-scope.tsx';
import { mayChangeGifts, type Permission, type Preset, sentenceOf } from './agent-terms.ts';

interface GrantFieldsProps {
  presets: readonly Preset[];
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  faults: Faults;
  /** The only permissions to choose from; without it all. */
  offered?: readonly Permission[];
  /** Says what the last day ends. */
  endHint: string;
}

/** What an agent may do, for whom, for how much and how long. */
export function GrantFields({ presets, offered, endHint, ...parts }: GrantFieldsProps) {
  const { draft, change } = parts;
  return (
    <>
      <TextField
        label="Name"
        hint="So you can tell agents apart: “Assistant of the sales team”."
        value={draft.name}
        onChange={(name) => change({ name })}
        required
        maxLength={200}
        autoComplete="off"
      />
      <PresetFields presets={presets} draft={draft} onChoose={(preset) => change(ofPreset(preset))} />
      <PermissionFields {...parts} offered={offered} />
      <ReachFields {...parts} />
      {mayChangeGifts(draft) && (
        <>
          <FieldGroup legend="Limits of its orders" hint="Empty: no limit. Hours and days are in UTC.">
            <LimitFields {...draft} onChange={(texts) => change({ limits: texts })} />
          </FieldGroup>
          <RecipientFields {...parts} />
          <CategoryFields {...parts} />
        </>
      )}
      <div className="mt-6">
        <TextField
          label="Last day (optional)"
          hint={endHint}
          error={parts.faults.lastDay}
          value={draft.lastDay}
          onChange={(lastDay) => change({ lastDay })}
          type="date"
        />
      </div>
    </>
  );
}

/** Leads to the first wrong field after each try. */
export function useFocusOnFault(tries: number) {
  useEffect(() => {
    if (tries > 0) document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus();
  }, [tries]);
}

interface PresetFieldsProps {
  presets: readonly Preset[];
  draft: Draft;
  onChoose: (preset: Preset) => void;
}

const PresetFields = ({ presets, draft, onChoose }: PresetFieldsProps) => (
  <FieldGroup legend="Begin with" hint="The choice fills the fields below, which you can change.">
    {presets.map((preset) => (
      <div
        key={preset.preset}
        className="rounded-xl border border-line px-4 py-2.5 has-checked:border-accent has-checked:bg-accent-wash"
      >
        <Choice
          type="radio"
          name="preset"
          label={preset.title}
          hint={sentenceOf(preset)}
          isChecked={isOfPreset(draft, preset)}
          onChange={() => onChoose(preset)}
        />
      </div>
    ))}
  </FieldGroup>
);
