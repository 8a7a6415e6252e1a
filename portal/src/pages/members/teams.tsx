import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isActive, membersQuery } from '../../api/member-acts.ts';
import { type Team, teamsQuery } from '../../api/teams.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { RemoveTeamDialog, TeamDialog } from './team-dialogs.tsx';

type Asked = { act: 'create' } | { act: 'rename' | 'remove'; team: Team };

/** Teams of members. */
export function TeamsPage() {
  const { organizationId, may } = useScope();
  const [asked, setAsked] = useState<Asked>();
  const teams = useQuery(teamsQuery(organizationId));
  const close = () => setAsked(undefined);
  return (
    <Page
      title="Teams"
      description="Senders in a team see what all of its members send. A member is in one team or in none."
      actions={
        may('members') && (
          <Button variant="primary" onClick={() => setAsked({ act: 'create' })}>
            New team
          </Button>
        )
      }
    >
      <Panel>
        <Loaded query={teams} lines={4}>
          {({ data }) => <Teams teams={data} onAsk={setAsked} />}
        </Loaded>
      </Panel>
      {asked?.act === 'create' && <TeamDialog onClose={close} />}
      {asked?.act === 'rename' && <TeamDialog team={asked.team} onClose={close} />}
      {asked?.act === 'remove' && <RemoveTeamDialog team={asked.team} onClose={close} />}
    </Page>
  );
}

interface TeamsProps {
  teams: readonly Team[];
  onAsk: (asked: Asked) => void;
}

function Teams({ teams, onAsk }: TeamsProps) {
  const { may } = useScope();
  if (teams.length === 0)
    return (
      <EmptyState title="No teams yet">
        {may('members') ? 'Create one, then choose it for its members under Members.' : 'An admin can create one.'}
      </EmptyState>
    );
  return (
    <ul className="divide-y divide-line">
      {teams.map((team) => (
        <TeamItem key={team.team_id} team={team}>
          {may('members') && (
            <Button
              size="small"
              onClick={() => onAsk({ act: 'rename', team })}
              aria-label={`Rename the team ${team.name}`}
            >
              Rename
            </Button>
          )}
          {may('members') && (
            <Button
              size="small"
              variant="danger"
              onClick={() => onAsk({ act: 'remove', team })}
              aria-label={`Remove the team ${team.name}`}
            >
              Remove
            </Button>
          )}
        </TeamItem>
      ))}
    </ul>
  );
}

function TeamItem({ team: { team_id, name, members }, children }: { team: Team; children: ReactNode }) {
  const { organizationId, membership } = useScope();
  const all = useQuery(membersQuery(organizationId)).data?.data ?? [];
  const own = all.filter((member) => isActive(member) && member.team_id === team_id);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 py-5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="flex flex-wrap items-baseline gap-x-2 font-sans text-[0.9375rem] font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
          {own.some(({ member_id }) => member_id === membership.member_id) && <Badge tone="plain">Your team</Badge>}
        </h2>
        <p className="mt-0.5 text-sm text-soft wrap-anywhere">
          {members === 0 ? 'No members' : countOf(members, 'member')}
          {own.length > 0 && `: ${own.map((member) => member.name ?? member.email).join(', ')}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}
