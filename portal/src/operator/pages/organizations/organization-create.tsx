import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';

/** Creates an organization and opens its page. */
export function CreateOrganizationDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const navigate = useNavigate();
  return (
    <ActDialog
      onClose={onClose}
      title="Create an organization"
      description="The first admin gets a mail and can sign in to the portal at once."
      action="Create organization"
      readBy="organization"
      command={`bestow org create --name ${shellWord(name.trim() || '…')} --admin-email ${shellWord(email.trim() || '…')}`}
      isIncomplete={name.trim() === '' || email.trim() === ''}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/organizations', {
            body: { name: name.trim(), admin_email: email.trim(), reason },
          }),
        )
      }
      done={(created) => `Created “${created.name}”.`}
      onDone={({ organization_id }) =>
        void navigate({ to: '/organizations/$organizationId', params: { organizationId: organization_id } })
      }
    >
      <TextField
        label="Name"
        hint="Members and recipients read it."
        value={name}
        onChange={setName}
        maxLength={200}
        autoComplete="off"
        required
      />
      <TextField
        label="First admin’s email address"
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="off"
        required
      />
    </ActDialog>
  );
}
