import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import { countOf } from '../../../ui/formats.ts';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import { saveJson } from './save-json.ts';

interface PersonDialogProps {
  address: string;
  onClose: () => void;
}

/** The person and, if wanted, one organization. */
function usePerson(given: string) {
  const [address, setAddress] = useState(given);
  const [organization, setOrganization] = useState('');
  const text = address.trim();
  const isEmail = text.includes('@');
  const of = organization.trim();
  return {
    address,
    setAddress,
    organization,
    setOrganization,
    isMissing: text === '',
    options: `${isEmail ? '--email' : '--phone'} ${shellWord(text || '…')}${of === '' ? '' : ` --org ${shellWord(of)}`}`,
    body: {
      recipient: isEmail ? { method: 'email' as const, email: text } : { method: 'phone' as const, phone: text },
      organization_id: of === '' ? null : of,
    },
  };
}

const PersonFields = ({ person }: { person: ReturnType<typeof usePerson> }) => (
  <>
    <TextField
      label="Email address or phone number"
      hint="A number with its country, such as +15555550100."
      value={person.address}
      onChange={person.setAddress}
      autoComplete="off"
      spellCheck={false}
      required
    />
    <TextField
      label="Organization’s ID"
      hint="Empty: all organizations."
      value={person.organization}
      onChange={person.setOrganization}
      autoComplete="off"
      spellCheck={false}
    />
  </>
);

/** Saves all that is held of a person as a file. */
export function ExportDialog({ address, onClose }: PersonDialogProps) {
  const person = usePerson(address);
  return (
    <ActDialog
      onClose={onClose}
      title="Export a person’s data"
      description="Saves a file with all gifts and messages of this person. Keep it safe, and delete it when it is handed over."
      action="Export data"
      readBy="organization"
      command={`bestow recipient export ${person.options} --file report.json`}
      isIncomplete={person.isMissing}
      send={(reason) =>
        unwrap(operatorApi.POST('/operator/api/recipients/export', { body: { ...person.body, reason } }))
      }
      done={({ organizations }) => `Saved what ${countOf(organizations.length, 'organization')} hold.`}
      onDone={(held) => saveJson('person.json', held)}
    >
      <PersonFields person={person} />
    </ActDialog>
  );
}

/** Erases a person's name and address. */
export function EraseDialog({ address, onClose }: PersonDialogProps) {
  const person = usePerson(address);
  return (
    <ActDialog
      onClose={onClose}
      title="Erase a person"
      description="Erases the name and address from every gift and message. Amounts and orders stay. Unsent messages are not sent. This cannot be undone."
      action="Erase person"
      isDanger
      readBy="organization"
      command={`bestow recipient erase ${person.options} --yes`}
      isIncomplete={person.isMissing}
      send={(reason) =>
        unwrap(operatorApi.POST('/operator/api/recipients/erase', { body: { ...person.body, reason } }))
      }
      done={({ gifts, messages, organizations, memberships_left }) =>
        `Erased from ${countOf(gifts, 'gift')} and ${countOf(messages, 'message')} of ${countOf(organizations, 'organization')}.${memberships_left > 0 ? ' The person is also a member: erase that with “bestow member erase”.' : ''}`
      }
    >
      <PersonFields person={person} />
    </ActDialog>
  );
}
