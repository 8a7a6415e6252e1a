import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { operations } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { SelectField } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { type CheckedContacts, identitiesOf } from './check-contacts.ts';
import { addressOf, type Contact, useTags } from './contact.ts';

/** Which contacts the file should have. */
type Among = { kind: 'none' | 'all' } | { kind: 'tag'; tag: string };

/** What is done with the contacts that a file does not have. */
export interface MissingChoice {
  among: Among;
  act: 'keep' | 'delete' | 'remove_tag';
}

export const keepAll: MissingChoice = { among: { kind: 'none' }, act: 'keep' };

type Search = operations['findMissingContacts']['requestBody']['content']['application/json'];

/** Finds the contacts that the file does not have, and those of people who left. */
export function useMissing({ rows, left, others }: CheckedContacts, { among }: MissingChoice) {
  const { path } = useScope();
  const inFile = new Set(rows.map(({ contactId }) => contactId));
  const idsOf = (some: readonly { contactId?: string | null }[]) => some.flatMap(({ contactId }) => contactId ?? []);
  const body: Search = {
    in_file: idsOf(rows),
    // A person who came back is in another row too.
    left: idsOf(left.filter(({ contactId }) => !inFile.has(contactId))),
    left_out: identitiesOf(others),
    among: among.kind === 'none' ? 'none' : 'all',
    ...(among.kind === 'tag' && { tag: among.tag }),
  };
  return useQuery({
    queryKey: ['contacts', path, 'missing', body],
    queryFn: () => unwrap(api.POST(`${SCOPE_PATH}/contacts/missing`, { params: { path }, body })),
    enabled: among.kind !== 'none' || body.left.length > 0,
    // What a person sees is what is deleted.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
}

interface MissingProps {
  file: CheckedContacts;
  query: ReturnType<typeof useMissing>;
  choice: MissingChoice;
  onChange: (choice: MissingChoice) => void;
}

const NONE = 'none';
const ALL = 'all';
const TAG = 'tag ';

/** Asks what to do with contacts that are not in the file, and shows each of them. */
export function Missing({ file, query, choice, onChange }: MissingProps) {
  const tags = useTags();
  const { among, act } = choice;
  const { data } = query;
  const leftIds = new Set(file.left.map(({ contactId }) => contactId));
  const isAsked = among.kind !== 'none' || leftIds.size > 0;
  return (
    <Panel title="Contacts that are not in the file" description="They are kept, unless you say otherwise here.">
      <div className="grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2">
        <SelectField
          label="This file is the whole list of"
          value={among.kind === 'tag' ? `${TAG}${among.tag}` : among.kind}
          onChange={(value) => onChange({ among: amongOf(value), act: 'keep' })}
          options={[
            { value: NONE, label: 'No one in particular' },
            ...tags.map(({ tag }) => ({ value: `${TAG}${tag}`, label: `Contacts with the tag ${tag}` })),
            { value: ALL, label: 'All contacts' },
          ]}
        />
        {isAsked && (data?.data.length ?? 0) > 0 && (
          <SelectField
            label={`${countOf(data?.data.length ?? 0, 'contact')} below`}
            value={act}
            onChange={(next) => onChange({ among, act: next })}
            options={[
              { value: 'keep', label: 'Keep them' },
              { value: 'delete', label: 'Delete them' },
              ...(among.kind === 'tag' ? [{ value: 'remove_tag' as const, label: `Remove the tag ${among.tag}` }] : []),
            ]}
          />
        )}
      </div>
      {isAsked && (
        <div className="mt-4">
          <DataTable
            caption="Contacts that are not in the file"
            columns={[...columns, { header: 'Why', cell: ({ contact_id }) => whyOf(leftIds.has(contact_id)) }]}
            query={query}
            rowKey={({ contact_id }) => contact_id}
            empty={<p className="text-soft">Each of these contacts is in the file.</p>}
            loadingLines={3}
          />
          {data !== undefined && data.count > data.data.length && (
            <p className="mt-3 text-sm text-soft">
              And {formatCount(data.count - data.data.length)} more, which stay: import the file again for them.
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

const amongOf = (value: string): Among =>
  value.startsWith(TAG) ? { kind: 'tag', tag: value.slice(TAG.length) } : { kind: value === ALL ? 'all' : 'none' };

const whyOf = (isLeft: boolean) => (isLeft ? 'Left, as the file says' : 'Not in the file');

const columns: Column<Contact>[] = [
  { header: 'Address', cell: (contact) => <span className="wrap-anywhere">{addressOf(contact)}</span> },
  { header: 'Name', cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi> },
  { header: 'Tags', cell: ({ tags }) => tags.join(', '), isWide: true },
];
