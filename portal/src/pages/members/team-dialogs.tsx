import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { Team } from '../../api/teams.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useAct } from '../../ui/use-act.ts';
import { NameField, nameFaultOf } from './name-field.tsx';

interface TeamDialogProps {
  /** Undefined: a new one. */
  team?: Team;
  onClose: () => void;
}

/** Creates a team, or renames one. */
export function TeamDialog({ team, onClose }: TeamDialogProps) {
  const { organizationId } = useScope();
  const [text, setText] = useState(team?.name ?? '');
  const name = text.trim();
  const path = { organization_id: organizationId };
  const saving = useAct({
    send: async () => {
      if (team === undefined)
        await unwrap(api.POST(`${ORGANIZATION_PATH}/teams`, { params: { path }, body: { name } }));
      else {
        const params = { path: { ...path, team_id: team.team_id } };
        await unwrap(api.PUT(`${ORGANIZATION_PATH}/teams/{team_id}`, { params, body: { name } }));
      }
    },
    done: team === undefined ? `Team ${name} created.` : `Team ${name} saved.`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={team === undefined ? 'New team' : 'Rename the team'}
      description={
        team === undefined
          ? 'Senders in a team see what all of its members send. Limits can count for all of it.'
          : undefined
      }
    >
      <DialogForm
        onSubmit={() => saving.mutate()}
        onCancel={onClose}
        error={nameFaultOf(saving.error, name) === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action={team === undefined ? 'Create team' : 'Save'}
        isIncomplete={name === '' || name === team?.name}
      >
        <NameField value={text} onChange={setText} saving={saving} />
      </DialogForm>
    </Dialog>
  );
}

/** Asks before a team is removed. */
export function RemoveTeamDialog({ team: { team_id, name }, onClose }: { team: Team; onClose: () => void }) {
  const { organizationId } = useScope();
  const removal = useAct({
    send: () =>
      unwrap(
        api.DELETE(`${ORGANIZATION_PATH}/teams/{team_id}`, {
          params: { path: { organization_id: organizationId, team_id } },
        }),
      ),
    done: `Team ${name} removed.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove the team “${name}”?`}
      description="Its members stay, without a team. Its limits end. Senders then see only what they sent themselves."
      action="Remove team"
      isDanger
      act={removal}
    />
  );
}
