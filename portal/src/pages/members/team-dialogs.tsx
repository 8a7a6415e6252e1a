import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { membersQueryKey } from '../../api/member-acts.ts';
import { type Team, teamsQuery } from '../../api/teams.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameFaultOf } from './role-dialogs.tsx';

const MOST_LETTERS = 100;

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
  const changed = useTeamsChanged();
  const path = { organization_id: organizationId };
  const saving = useMutation({
    mutationFn: async () => {
      if (team === undefined)
        await unwrap(api.POST(`${ORGANIZATION_PATH}/teams`, { params: { path }, body: { name } }));
      else {
        const params = { path: { ...path, team_id: team.team_id } };
        await unwrap(api.PUT(`${ORGANIZATION_PATH}/teams/{team_id}`, { params, body: { name } }));
      }
    },
    onSuccess: () => changed(team === undefined ? `Team ${name} created.` : `Team ${name} saved.`, onClose),
  });
  const nameFault = nameFaultOf(saving.error, name);
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
        error={nameFault === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action={team === undefined ? 'Create team' : 'Save'}
        isIncomplete={name === '' || name === team?.name}
      >
        <TextField
          label="Name"
          value={text}
          onChange={(next) => {
            saving.reset();
            setText(next);
          }}
          error={nameFault}
          maxLength={MOST_LETTERS}
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}

/** Asks before a team is removed. */
export function RemoveTeamDialog({ team: { team_id, name }, onClose }: { team: Team; onClose: () => void }) {
  const { organizationId } = useScope();
  const changed = useTeamsChanged();
  const removal = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE(`${ORGANIZATION_PATH}/teams/{team_id}`, {
          params: { path: { organization_id: organizationId, team_id } },
        }),
      ),
    onSuccess: () => changed(`Team ${name} removed.`, onClose),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove the team “${name}”?`}
      description="Its members stay, without a team. Its limits end. Senders then see only what they sent themselves."
      action="Remove team"
      isDanger
      isBusy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    />
  );
}

/** Loads the teams again, and the members and limits that name them. */
function useTeamsChanged() {
  const { organizationId } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  return async (done: string, onClose: () => void) => {
    await queryClient.invalidateQueries({ queryKey: teamsQuery(organizationId).queryKey });
    showToast(done);
    onClose();
    void queryClient.invalidateQueries({ queryKey: membersQueryKey(organizationId) });
    void queryClient.invalidateQueries({ queryKey: ['limits'] });
  };
}
