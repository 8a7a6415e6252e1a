import { useQueries } from '@tanstack/react-query';
import { type ApprovalRule, rulesQuery } from '../../api/approval-rules.ts';
import { type Limits, limitsQuery } from '../../api/limits.ts';
import { isActive, type Member, membersQuery } from '../../api/member-acts.ts';
import { rolesQuery } from '../../api/roles.ts';
import { type Team, teamsQuery } from '../../api/teams.ts';
import { useScope } from '../../api/use-scope.ts';
import { type Caps, capsQuery } from './caps.tsx';

/** Who may spend: all together, a person, a team or a key; with what holds for them. */
export type Spender = { id: string } & (
  | { kind: 'all'; caps: Caps | undefined; rule: ApprovalRule | undefined }
  | { kind: 'member'; member: Member; limits: Limits | undefined; rule: ApprovalRule | undefined; onlyAsks: boolean }
  | { kind: 'team'; team: Team; limits: Limits | undefined }
  | { kind: 'key'; caps: Caps }
);

/** All who may spend, with what the viewer may see of it: the limits of others only with “settings”, caps with “money”. */
export function useSpenders() {
  const { path, organizationId, membership, includes } = useScope();
  const [rules, members, roles, teams, limits, caps] = useQueries({
    queries: [
      rulesQuery(organizationId),
      membersQuery(organizationId),
      rolesQuery(organizationId),
      teamsQuery(organizationId),
      limitsQuery(path),
      { ...capsQuery(path), enabled: includes('money') },
    ],
  });
  const all = [rules, members, roles, teams, limits, ...(includes('money') ? [caps] : [])];
  const seesAll = includes('settings');
  const own = members.data?.data.find(({ member_id }) => member_id === membership.member_id);
  const limitsOf = (id: string) => limits.data?.data.find(({ holder_id }) => holder_id === id);
  const ruleOf = (id: string | null) => rules.data?.data.find(({ member_id }) => member_id === id);
  const mayDo = ({ role }: Member) => roles.data?.data.find((one) => one.role === role)?.permissions ?? [];
  const spenders: Spender[] = [
    { kind: 'all', id: 'all', caps: caps.data?.data.find(({ key_id }) => key_id === null), rule: ruleOf(null) },
    ...(members.data?.data ?? [])
      .filter((member) => isActive(member) && mayDo(member).some((one) => one === 'order' || one === 'request'))
      .filter((member) => seesAll || member === own)
      .map((member) => ({
        kind: 'member' as const,
        id: member.member_id,
        member,
        limits: limitsOf(member.member_id),
        rule: ruleOf(member.member_id),
        onlyAsks: !mayDo(member).includes('order'),
      })),
    ...(teams.data?.data ?? [])
      .filter(({ team_id }) => seesAll || team_id === own?.team_id)
      .map((team) => ({ kind: 'team' as const, id: team.team_id, team, limits: limitsOf(team.team_id) })),
    ...(caps.data?.data ?? []).flatMap((one) =>
      one.key_id === null ? [] : [{ kind: 'key' as const, id: one.key_id, caps: one }],
    ),
  ];
  return {
    members: members.data?.data ?? [],
    asked: rules.data?.asked ?? [],
    rules: rules.data?.data ?? [],
    query: {
      data: all.every(({ data }) => data !== undefined) ? { data: spenders } : undefined,
      error: all.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
    },
  };
}
