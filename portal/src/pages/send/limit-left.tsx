import { useQuery } from '@tanstack/react-query';
import { limitsQuery } from '../../api/limits.ts';
import { membersQuery } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { formatMoney } from '../../ui/formats.ts';

/** What the limits of the person and their team leave, if there are some: the least of them. */
export function LimitLeft() {
  const { path, organizationId, membership, currency } = useScope();
  const limits = useQuery({ ...limitsQuery(path), refetchOnMount: 'always' }).data?.data ?? [];
  const members = useQuery({ ...membersQuery(organizationId), enabled: limits.length > 0 }).data?.data ?? [];
  const teamId = members.find(({ member_id }) => member_id === membership.member_id)?.team_id;
  const left = limits.flatMap(({ holder_id, day, month, spent }) => {
    if (holder_id !== membership.member_id && holder_id !== teamId) return [];
    const who = holder_id === teamId ? 'Your team' : 'You';
    return [
      ...(day === null ? [] : [{ who, cents: day - spent.day, period: 'today' }]),
      ...(month === null ? [] : [{ who, cents: month - spent.month, period: 'this month' }]),
    ];
  });
  const [least] = left.sort((a, b) => a.cents - b.cents);
  if (least === undefined) return null;
  return (
    <span className="block">
      {least.who} can send {formatMoney(Math.max(0, least.cents), currency)} more {least.period}.
    </span>
  );
}
