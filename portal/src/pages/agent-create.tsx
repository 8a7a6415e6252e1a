import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import { useScope } from '../layout/use-scope.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { TextField } from '../ui/field.tsx';
import { type Draft, faultsOf, grantOf, isOfPreset, newDraft, ofPreset, readLimits } from './agent-draft.ts';
import { Choice, FieldGroup, LimitFields } from './agent-fields.tsx';
import { CategoryFields, PermissionFields, ReachFields, RecipientFields } from './agent-scope.tsx';
import { mayChangeGifts, type NewGrant, type Preset, sentenceOf } from './agent-terms.ts';
import { NewTokenDialog } from './agent-token.tsx';

interface CreateAgentProps {
  presets: readonly Preset[];
  onClose: () => void;
}

/** Asks what an agent may do, for whom and for how much; then shows its token once. */
export function CreateAgentDialog({ presets, onClose }: CreateAgentProps) {
  const { environment, currency } = useScope();
  const [draft, setDraft] = useState(() => newDraft(presets[0]));
  const [tries, setTries] = useState(0);
  const creation = useCreation();
  const faults = faultsOf(draft);
  const limits = readLimits(draft.limits, currency);
  useFocusOnFault(tries);
  if (creation.data !== undefined) return <NewTokenDialog value={creation.data.token} onClose={onClose} />;
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const create = () => {
    if (Object.keys(faults).length > 0 || limits === undefined) setTries(tries + 1);
    else creation.mutate(grantOf(draft, limits));
  };
  const parts = { draft, change, faults: tries > 0 ? faults : {} };
  return (
    <Dialog
      isOpen
      isHeld={creation.isPending}
      onClose={onClose}
      title={`New ${environment} agent`}
      description={
        environment === 'live'
          ? 'Its orders are charged to the live balance. All admins get an email.'
          : 'Its orders are tests. All admins get an email.'
      }
    >
      <DialogForm
        onSubmit={create}
        onCancel={onClose}
        error={creation.error}
        isBusy={creation.isPending}
        action="Create agent"
        isIncomplete={draft.name.trim() === '' || (mayChangeGifts(draft) && limits === undefined)}
        isCancelDisabled={creation.isPending}
        noValidate
      >
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
        <PermissionFields {...parts} />
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
            hint="After this day the token stops working. It also stops when you are no longer an active admin."
            error={parts.faults.lastDay}
            value={draft.lastDay}
            onChange={(lastDay) => change({ lastDay })}
            type="date"
          />
        </div>
      </DialogForm>
    </Dialog>
  );
}

function useCreation() {
  const { path } = useScope();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewGrant) => unwrap(api.POST(`${SCOPE_PATH}/grants`, { params: { path }, body })),
    // Not awaited, so that the token is shown even if the list cannot be loaded.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['grants'] }),
  });
}

/** Leads to the first wrong field after each try. */
function useFocusOnFault(tries: number) {
  useEffect(() => {
    if (tries > 0) document.querySelector<HTMLElement>('[role=dialog] [aria-invalid=true]')?.focus();
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
