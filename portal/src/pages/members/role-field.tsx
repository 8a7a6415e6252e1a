import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../api/member-acts.ts';
import { type RoleRow, rolesQuery } from '../../api/roles.ts';
import { useScope } from '../../api/use-scope.ts';
import { roleWords } from '../../base/roles.ts';
import { SelectField } from '../../ui/field.tsx';

type Role = Member['role'];

/** What people call a role. */
export function useRoleName(): (role: Role) => string {
  const { organizationId } = useScope();
  const { data } = useQuery(rolesQuery(organizationId));
  return (role) => data?.data.find((one) => one.role === role)?.name ?? roleWords(role).name;
}

/** What a role is for: a sentence. */
export const sentenceOf = ({ role, says, is_own }: RoleRow) => (is_own ? `Includes ${says}.` : roleWords(role).says);

/** Chooses one of the built-in and own roles, and says what it allows. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { organizationId } = useScope();
  const roles = useQuery(rolesQuery(organizationId)).data?.data ?? [];
  const chosen = roles.find(({ role }) => role === value);
  return (
    <SelectField
      label="Role"
      value={value}
      onChange={onChange}
      hint={chosen === undefined ? roleWords(value).says : sentenceOf(chosen)}
      options={roles.map(({ role, name }) => ({ value: role, label: name }))}
    />
  );
}
