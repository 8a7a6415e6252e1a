import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { Member } from '../../api/member-acts.ts';
import { teamsQuery } from '../../api/teams.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useAct } from '../../ui/use-act.ts';

/** The name of a member's team; nothing without one. */
export function TeamName({ teamId }: { teamId: string | null }) {
  const { organizationId } = useScope();
  const { data } = useQuery({ ...teamsQuery(organizationId), enabled: teamId !== null });
  return teamId === null ? null : <bdi>{data?.data.find(({ team_id }) => team_id === teamId)?.name}</bdi>;
}

interface MemberTeamDialogProps {
  member: Member;
  onClose: () => void;
}

/** Puts a member into a team, or into none. */
export function MemberTeamDialog({ member, onClose }: MemberTeamDialogProps) {
  const { organizationId } = useScope();
  const { email, member_id } = member;
  const [teamId, setTeamId] = useState(member.team_id ?? '');
  const teams = useQuery(teamsQuery(organizationId));
  const change = useAct({
    send: () =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/members/{member_id}/team`, {
          params: { path: { organization_id: organizationId, member_id } },
          body: { team_id: teamId === '' ? null : teamId },
        }),
      ),
    waits: false,
    done: () => {
      const name = teams.data?.data.find(({ team_id }) => team_id === teamId)?.name;
      return name === undefined ? `${email} is in no team now.` : `${email} is in the team ${name} now.`;
    },
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Change the team of ${email}`}
      description="Senders see what their team sends, and the team’s limits count for them."
    >
      <Loaded query={teams} lines={2}>
        {({ data }) => (
          <DialogForm
            onSubmit={() => change.mutate()}
            onCancel={onClose}
            error={change.error}
            isBusy={change.isPending}
            action="Change team"
            isIncomplete={teamId === (member.team_id ?? '')}
          >
            <SelectField
              label="Team"
              value={teamId}
              onChange={setTeamId}
              hint={data.length === 0 ? 'There are no teams yet. Create one under Teams.' : undefined}
              options={[
                { value: '', label: 'No team' },
                ...data.map(({ team_id, name }) => ({ value: team_id, label: name })),
              ]}
            />
          </DialogForm>
        )}
      </Loaded>
    </Dialog>
  );
}
