import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import type { Organization } from './organization-query.ts';

type Kind = components['schemas']['IssuerKind'];

interface AddIssuerDialogProps {
  organization: Organization;
  onClose: () => void;
}

/** Chooses who makes the cards. Settings are secrets: the command takes them from standard input. */
export function AddIssuerDialog({ organization, onClose }: AddIssuerDialogProps) {
  const kinds = useQuery({
    queryKey: ['issuer-kinds'],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/issuer-kinds')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [name, setName] = useState('');
  const [category, setCategory] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const kind = kinds.data?.data.find((one) => one.kind === name);
  const { organization_id } = organization;
  const ofCategory = category.trim() === '' ? '' : ` --category ${shellWord(category.trim())}`;
  return (
    <ActDialog
      onClose={onClose}
      title={`Add an issuer for “${organization.name}”`}
      description="It makes the cards of new live gifts. Remove an earlier issuer of the same category first."
      action="Add issuer"
      readBy="organization"
      command={`bestow issuer add ${name || '…'} --org ${organization_id}${ofCategory}${kind?.settings.length ? ' --secrets' : ''}`}
      isIncomplete={kind === undefined || !isComplete(kind, values)}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/organizations/{organization_id}/issuers', {
            params: { path: { organization_id } },
            body: { kind: name, category: category.trim() || null, settings: filled(kind, values), reason },
          }),
        )
      }
      done={`“${name}” makes the cards now.`}
    >
      <Loaded query={kinds} lines={2}>
        {({ data }) => <SelectField label="Kind" value={name} onChange={setName} options={optionsOf(data)} />}
      </Loaded>
      <TextField
        label="Category"
        hint="Empty: all categories without an issuer of their own."
        value={category}
        onChange={setCategory}
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
      />
      {kind?.settings.map((setting) => (
        <SettingField
          key={`${name} ${setting.name}`}
          setting={setting}
          value={values[setting.name] ?? ''}
          onChange={(value) => setValues({ ...values, [setting.name]: value })}
        />
      ))}
    </ActDialog>
  );
}

interface SettingFieldProps {
  setting: Kind['settings'][number];
  value: string;
  onChange: (value: string) => void;
}

const SettingField = ({ setting, value, onChange }: SettingFieldProps) => (
  <TextField
    label={setting.name}
    hint={`${setting.meaning}${setting.is_optional ? ', if wanted' : ''}, such as ${setting.example}. ${setting.is_secret ? 'It is kept encrypted, and no page shows it again.' : ''}`}
    type={setting.is_secret ? 'password' : 'text'}
    value={value}
    onChange={onChange}
    maxLength={4_000}
    autoComplete="off"
    spellCheck={false}
    required={!setting.is_optional}
  />
);

const optionsOf = (kinds: readonly Kind[]) => [
  { value: '', label: 'Choose' },
  ...kinds.map(({ kind, description }) => ({ value: kind, label: `${kind}: ${description}` })),
];

const isComplete = ({ settings }: Kind, values: Readonly<Record<string, string>>) =>
  settings.every(({ name, is_optional }) => is_optional || (values[name] ?? '').trim() !== '');

/** The settings of the kind that have a value. */
const filled = (kind: Kind | undefined, values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    (kind?.settings ?? [])
      .map(({ name }) => [name, (values[name] ?? '').trim()] as const)
      .filter(([, value]) => value !== ''),
  );
