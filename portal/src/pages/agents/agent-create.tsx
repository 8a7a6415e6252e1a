import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useAct } from '../../ui/use-act.ts';
import { type Draft, faultsOf, grantOf, newDraft, readLimits } from './agent-draft.ts';
import { GrantFields, useFocusOnFault } from './agent-grant-fields.tsx';
import { mayChangeGifts, type NewGrant, type Preset } from './agent-terms.ts';
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
        <GrantFields
          presets={presets}
          draft={draft}
          change={change}
          faults={tries > 0 ? faults : {}}
          endHint="After this day the token stops working. It also stops when you are no longer an active admin."
        />
      </DialogForm>
    </Dialog>
  );
}

function useCreation() {
  const { path } = useScope();
  return useAct({
    send: (body: NewGrant) => unwrap(api.POST(`${SCOPE_PATH}/grants`, { params: { path }, body })),
    // The token is shown even if the list cannot be loaded.
    waits: false,
  });
}
