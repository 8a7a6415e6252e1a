import { Link } from '@tanstack/react-router';
import { useScope } from '../../api/use-scope.ts';

const tabs = [
  { to: '/$organizationId/$environment/members', label: 'Members' },
  { to: '/$organizationId/$environment/members/roles', label: 'Roles' },
  { to: '/$organizationId/$environment/members/teams', label: 'Teams' },
] as const;

/** The pages about people: who they are, what their roles include, and their teams. */
export function MembersTabs() {
  const { params } = useScope();
  return (
    <nav aria-label="Members, roles and teams" className="print:hidden flex gap-5">
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          params={params}
          activeOptions={{ exact: true }}
          className="text-soft underline-offset-4 hover:underline aria-[current=page]:font-semibold aria-[current=page]:text-accent"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
