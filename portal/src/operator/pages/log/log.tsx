import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { unwrap } from '../../../api/client.ts';
import { given } from '../../../base/search.ts';
import { Panel } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useLostCursor } from '../../../ui/use-lost-cursor.ts';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { MorePager } from '../../layout/more-pager.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { actionName } from './action-name.ts';
import { OperatorsPanel } from './operators-panel.tsx';

type OperatorEvent = components['schemas']['OperatorEvent'];

const route = getRouteApi('/signed-in/log');

/** What operators did and looked at, and who they are. */
export function LogPage() {
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const events = useQuery({
    queryKey: ['log', after],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/log', { params: { query: given({ after }) } })),
    placeholderData: keepPreviousData,
    // People open the log to see what they just did.
    staleTime: 0,
  });
  useLostCursor(events.error, () => void navigate({ search: {}, replace: true }));
  const last = events.data?.has_more ? events.data.data.at(-1)?.event_id : undefined;
  return (
    <OperatorPage
      title="Log"
      description="What operators did, and whose data they looked at, newest first. The database refuses changes to it."
    >
      <Panel>
        <DataTable
          caption="Acts and looks of operators, newest first"
          counted={['entry', 'entries']}
          columns={columns}
          query={events}
          rowKey={({ event_id }) => event_id}
          empty={<EmptyState title="Nothing yet" />}
        />
        <MorePager
          isFirst={after === undefined}
          onFirst={() => void navigate({ search: {} })}
          onOlder={last === undefined ? undefined : () => void navigate({ search: { after: last } })}
        />
        <CommandLine command="bestow operator log --limit 100" />
      </Panel>
      <OperatorsPanel />
    </OperatorPage>
  );
}

const columns: Column<OperatorEvent>[] = [
  {
    header: 'What',
    cell: (event) => (
      <>
        <span className="font-semibold">{actionName(event.action)}</span>
        <span className="block text-sm wrap-anywhere">
          <Details of={event} />
        </span>
        {event.reason !== null && <span className="block text-sm wrap-anywhere text-soft">{event.reason}</span>}
        <span className="block text-sm wrap-anywhere text-soft md:hidden">
          {event.operator}, <Time at={event.created_at} />
        </span>
      </>
    ),
  },
  {
    header: 'By',
    isWide: true,
    cell: ({ operator, address }) => (
      <>
        <span className="block wrap-anywhere">{operator}</span>
        <span className="block text-sm wrap-anywhere text-soft">{address}</span>
      </>
    ),
  },
  { header: 'Time', isWide: true, align: 'right', cell: ({ created_at }) => <Time at={created_at} hasSeconds /> },
];

/** What the act was about; organizations and gifts are links. */
function Details({ of: { details } }: { of: OperatorEvent }) {
  return Object.entries(details).map(([name, value], place) => (
    <Fragment key={name}>
      {place > 0 && ', '}
      <Value name={name} value={value} />
    </Fragment>
  ));
}

const linkClass = 'font-mono text-[0.8125rem] text-accent underline underline-offset-2';

function Value({ name, value }: { name: string; value: string }) {
  if (name === 'organization_id')
    return (
      <Link to="/organizations/$organizationId" params={{ organizationId: value }} className={linkClass}>
        {value}
      </Link>
    );
  if (name === 'gift_id')
    return (
      <Link to="/gifts/$giftId" params={{ giftId: value }} className={linkClass}>
        {value}
      </Link>
    );
  return name.endsWith('_id') ? value : `${name.replaceAll('_', ' ')}: ${value}`;
}
