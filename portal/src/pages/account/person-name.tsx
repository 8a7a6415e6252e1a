import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';

/** A member's name, if they set one, above the address; else the address, as for people who are not members. */
export function PersonName({ email }: { email: string }) {
  const { organizationId } = useScope();
  const members = useQuery({ ...membersQuery(organizationId), staleTime: 60_000 }).data?.data ?? [];
  const name = members.find((member) => member.email.toLowerCase() === email.toLowerCase())?.name ?? null;
  if (name === null) return <span className="wrap-anywhere">{email}</span>;
  return (
    <>
      <span className="block wrap-anywhere">
        <bdi>{name}</bdi>
      </span>
      <span className="block text-sm font-normal wrap-anywhere text-soft">{email}</span>
    </>
  );
}
