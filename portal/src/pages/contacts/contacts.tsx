import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useMaySend } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { useRules } from '../../api/yearly-rules.ts';
import { given, withFilters, withPage } from '../../base/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Filters, SearchField, useSearchText } from '../../ui/filters.tsx';
import { ListPager } from '../../ui/list-pager.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { useAdding } from '../../ui/use-adding.ts';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { addressOf, type Contact, dayText, useTags } from './contact.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { RemoveContact } from './contact-remove.tsx';
import { SendToContact } from './send-to-contact.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/contacts');

type Change = { act: 'edit' | 'delete'; contact: Contact };

/** The people to whom the organization sends gifts. */
export function ContactsPage() {
  const { path, params, may } = useScope();
  const { add: _, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { isAdding, begin, end } = useAdding('contact');
  const [change, setChange] = useState<Change>();
  const contacts = useQuery({
    queryKey: ['contacts', path, search],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/contacts`, { params: { path, query: given(search) } })),
    placeholderData: keepPreviousData,
    enabled: may('order', 'request'),
  });
  useLostCursor(contacts.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const close = () => setChange(undefined);
  const actions = useActions(setChange);
  const isFiltered = search.query !== undefined || search.tag !== undefined;
  return (
    <Page
      title="Contacts"
      description="The people to whom you send gifts, with tags and days for yearly gifts."
      actions={may('settings') && <Actions query={search.query} tag={search.tag} onAdd={begin} />}
    >
      <FirstRule contacts={contacts.data?.data ?? []} />
      <Panel>
        {may('order', 'request') ? (
          <>
            <ContactFilters />
            <DataTable
              caption="Contacts"
              counted={['contact', 'contacts']}
              columns={[...columns, ...actions]}
              query={contacts}
              rowKey={({ contact_id }) => contact_id}
              rowLink={({ contact_id }) => ({
                to: '/$organizationId/$environment/contacts/$contactId',
                params: { ...params, contactId: contact_id },
              })}
              empty={<Empty isFiltered={isFiltered} onClear={() => void navigate({ search: {} })} />}
            />
            <ListPager page={contacts.data} onPage={(cursor) => void navigate({ search: withPage(search, cursor) })} />
          </>
        ) : (
          <EmptyState title="Contacts cannot be shown now">
            Only people who may send gifts see them, while the organization is active.
          </EmptyState>
        )}
      </Panel>
      {isAdding && may('settings') && <ContactDialog onClose={end} />}
      {change?.act === 'edit' && <ContactDialog contact={change.contact} onClose={close} />}
      {change?.act === 'delete' && <RemoveContact contact={change.contact} onClose={close} />}
    </Page>
  );
}

/** Leads from the first days that are known to gifts on them. */
function FirstRule({ contacts }: { contacts: readonly Contact[] }) {
  const { params, may } = useScope();
  const rules = useRules().data?.data;
  const hasDays = contacts.some(({ birthday, work_anniversary }) => birthday !== null || work_anniversary !== null);
  if (!may('settings') || !hasDays || rules === undefined || rules.length > 0) return null;
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p>No rule sends gifts on these days yet.</p>
      <ButtonLink to="/$organizationId/$environment/calendar" params={params} search={{ add: 'rule' }}>
        Add a rule
      </ButtonLink>
    </div>
  );
}

interface ActionsProps {
  query: string | undefined;
  tag: string | undefined;
  onAdd: () => void;
}

function Actions({ query, tag, onAdd }: ActionsProps) {
  const { params, organizationId, environment, includes } = useScope();
  return (
    <>
      {includes('people') && (
        <ExportLink
          href={`/portal/api/organizations/${organizationId}/${environment}/contacts.csv`}
          query={{ query, tag }}
          isGuarded
        />
      )}
      <ButtonLink to="/$organizationId/$environment/contacts/import" params={params}>
        Import
      </ButtonLink>
      <Button variant="primary" onClick={onAdd}>
        Add a contact
      </Button>
    </>
  );
}

function ContactFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { includes } = useScope();
  const tags = useTags();
  const { query, tag = '' } = search;
  const [text, setText] = useSearchText(query, search);
  const filter = (changes: { query?: string; tag?: string }) =>
    void navigate({ search: withFilters(search, { query: text.trim(), ...changes }) });
  const known = tags.map((one) => ({ value: one.tag, label: `${one.tag} (${one.contacts})` }));
  return (
    <Filters
      search={
        includes('people') && (
          <SearchField
            label="Name, address or reference"
            text={text}
            onText={setText}
            onSearch={(sought) => filter({ query: sought })}
          />
        )
      }
      count={tag === '' ? 0 : 1}
      onClear={() => void navigate({ search: {} })}
    >
      <SelectField
        label="Tag"
        isLabelHidden
        value={tag}
        onChange={(value) => filter({ tag: value })}
        options={[
          { value: '', label: 'Any tag' },
          // A tag in the URL that is unknown or not loaded yet.
          ...(tag !== '' && !known.some(({ value }) => value === tag) ? [{ value: tag, label: tag }] : []),
          ...known,
        ]}
      />
    </Filters>
  );
}

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { may } = useScope();
  if (isFiltered)
    return (
      <NoMatch title="No contacts match these filters" showAll="Show all contacts" onClear={onClear}>
        Search for the beginning of a name, an address or a reference.
      </NoMatch>
    );
  return (
    <EmptyState title="No contacts yet">
      {may('settings')
        ? 'Add a contact, import a CSV or Excel file, or let your program save them with an API key.'
        : 'An admin can add or import them. Then you can send them gifts from here.'}
    </EmptyState>
  );
}

const columns: Column<Contact>[] = [
  {
    header: 'Contact',
    cell: (contact) => (
      <>
        {contact.name !== null && (
          <span className="block font-semibold wrap-anywhere">
            <bdi>{contact.name}</bdi>
          </span>
        )}
        <span
          className={
            contact.name === null ? 'font-semibold wrap-anywhere' : 'text-sm font-normal wrap-anywhere text-soft'
          }
        >
          {addressOf(contact)}
        </span>
      </>
    ),
  },
  {
    header: 'Tags',
    cell: ({ tags }) => (
      <span className="flex flex-wrap gap-1.5">
        {tags.map((tag) => (
          <Badge key={tag} tone="plain">
            {tag}
          </Badge>
        ))}
      </span>
    ),
    isWide: true,
  },
  { header: 'Birthday', cell: ({ birthday }) => dayText(birthday), isWide: true },
  { header: 'First day of work', cell: ({ work_anniversary }) => dayText(work_anniversary), isWide: true },
  {
    header: 'Reference',
    cell: ({ external_id }) => <span className="wrap-anywhere">{external_id}</span>,
    isWide: true,
  },
];

/** What can be done with a contact; no column for people who can do nothing. */
function useActions(onChoose: (change: Change) => void): Column<Contact>[] {
  const { params, may } = useScope();
  const maySend = useMaySend();
  if (!maySend && !may('settings')) return [];
  return [
    {
      header: 'Action',
      align: 'right',
      cell: (contact) => (
        // Above the link of the row.
        <span className="relative flex flex-wrap justify-end gap-2">
          {maySend && <SendToContact contact={contact} params={params} />}
          {may('settings') && <ChangeButtons contact={contact} onChoose={onChoose} />}
        </span>
      ),
    },
  ];
}

function ChangeButtons({ contact, onChoose }: { contact: Contact; onChoose: (change: Change) => void }) {
  return (
    <>
      <Button size="small" aria-label={`Edit ${addressOf(contact)}`} onClick={() => onChoose({ act: 'edit', contact })}>
        Edit
      </Button>
      <Button
        size="small"
        aria-label={`Delete ${addressOf(contact)}`}
        onClick={() => onChoose({ act: 'delete', contact })}
      >
        Delete
      </Button>
    </>
  );
}
