import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { given, withFilters, withPage } from '../../base/search.ts';

import { Code } from '../../ui/code.tsx';
import { SelectField } from '../../ui/field.tsx';
import { DateFilter, Filters, SearchField, useSearchText } from '../../ui/filters.tsx';
import { dayRange } from '../../ui/formats.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { PersonName } from '../account/person-name.tsx';
import { actionOptions, isAction } from './audit-actions.ts';

type AuditEvent = components['schemas']['AuditEvent'];

const route = getRouteApi('/signed-in/$organizationId/$environment/audit');

const actionOf = (text: string | undefined) => (isAction(text) ? text : undefined);

/** The audit log with its filters. */
export function AuditPage() {
  const { environment } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { actor, from, to } = search;
  const action = actionOf(search.action);
  const events = useAuditEvents(search);
  useLostCursor(events.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const [text, setText] = useSearchText(actor, search);
  const filter = (changes: Partial<typeof search>) =>
    void navigate({ search: withFilters(search, { actor: text.trim(), ...changes }) });
  const clear = () => void navigate({ search: {} });
  const count = [action, actor, from, to].filter((value) => value !== undefined).length;

  return (
    <Page
      title="Audit log"
      description={`Who changed what, when and from where, in ${environment === 'live' ? 'Live' : 'Sandbox'} mode and in the organization. Entries cannot be changed or deleted.`}
    >
      <Panel>
        <Filters
          search={
            <SearchField label="Person" text={text} onText={setText} onSearch={(sought) => filter({ actor: sought })} />
          }
          count={count}
          onClear={clear}
        >
          <SelectField
            label="Action"
            isLabelHidden
            value={action ?? ''}
            onChange={(value) => filter({ action: value })}
            options={actionOptions}
          />
          <DateFilter label="From" value={from ?? ''} onChange={(day) => filter({ from: day })} />
          <DateFilter label="To" value={to ?? ''} onChange={(day) => filter({ to: day })} />
        </Filters>
        <DataTable
          caption="Changes, newest first"
          counted={['entry', 'entries']}
          columns={columns}
          query={events}
          rowKey={(event) => event.event_id}
          empty={
            count > 0 ? (
              <NoMatch title="No entries match these filters" showAll="Show all entries" onClear={clear}>
                Search for part of an email address, or for “operator”.
              </NoMatch>
            ) : (
              <EmptyState title="No changes yet">
                Changes by members and by the operator appear here immediately.
              </EmptyState>
            )
          }
        />
        <ListPager page={events.data} onPage={(cursor) => void navigate({ search: withPage(search, cursor) })} />
      </Panel>
    </Page>
  );
}

function useAuditEvents(search: ReturnType<typeof route.useSearch>) {
  const { path } = useScope();
  const { action, actor, after, before } = search;
  return useQuery({
    queryKey: ['audit', path, search],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/audit-events`, {
          params: { path, query: given({ action: actionOf(action), actor, ...dayRange(search), after, before }) },
        }),
      ),
    placeholderData: keepPreviousData,
    // People often open the log to see a change that they just made.
    staleTime: 0,
  });
}

const columns: Column<AuditEvent>[] = [
  {
    header: 'Change',
    cell: ({ sentence, target, actor, created_at }) => (
      <>
        <span className="font-semibold wrap-anywhere">{sentence}</span>
        {target !== null && (
          <span className="mt-0.5 hidden md:block">
            <Target id={target} />
          </span>
        )}
        <span className="mt-0.5 block text-sm wrap-anywhere text-soft md:hidden">
          {actor.kind === 'member' ? <PersonName email={actor.name} /> : actor.name}, from {actor.address}
        </span>
        <span className="block text-sm text-soft md:hidden">
          <Time at={created_at} />
        </span>
      </>
    ),
  },
  {
    header: 'By',
    cell: ({ actor }) => (
      <div className="min-w-56">
        <span className={`block wrap-anywhere ${actor.kind === 'operator' ? 'first-letter:uppercase' : ''}`}>
          {actor.kind === 'member' ? <PersonName email={actor.name} /> : actor.name}
        </span>
        <span className="block text-sm wrap-anywhere text-soft">{actor.address}</span>
      </div>
    ),
    isWide: true,
  },
  { header: 'Time', cell: ({ created_at }) => <Time at={created_at} />, align: 'right', isWide: true },
];

/** The id of the changed record. A gift's id is a link. */
function Target({ id }: { id: string }) {
  const { params } = useScope();
  if (!id.startsWith('gift_'))
    return (
      <span className="text-soft">
        <Code>{id}</Code>
      </span>
    );
  return (
    <Link
      to="/$organizationId/$environment/gifts/$giftId"
      params={{ ...params, giftId: id }}
      className="text-accent underline underline-offset-2"
    >
      <Code>{id}</Code>
    </Link>
  );
}
