import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import type { Organization } from './organization-query.ts';

export type Role = Organization['members'][number]['role'];

/** Choices of a field. */
export const roleOptions: readonly { value: Role; label: string }[] = [
  { value: 'admin', label: 'Admin: can change everything' },
  { value: 'member', label: 'Member: can look at everything' },
];

/** Adds an active member, such as an admin where the last one left. */
export function AddMemberDialog({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('admin');
  const { organization_id } = organization;
  return (
    <ActDialog
      onClose={onClose}
      title={`Add a member to “${organization.name}”`}
      description="The person gets a mail and can sign in to the portal at once, without accepting an invitation."
      action="Add member"
      readBy="organization"
      command={`bestow member add --org ${organization_id} --email ${shellWord(email.trim() || '…')} --role ${role}`}
      isIncomplete={email.trim() === ''}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/organizations/{organization_id}/members', {
            params: { path: { organization_id } },
            body: { email: email.trim(), role, reason },
          }),
        )
      }
      done={`Added ${email.trim()}.`}
    >
      <TextField label="Email address" type="email" value={email} onChange={setEmail} autoComplete="off" required />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
    </ActDialog>
  );
}
