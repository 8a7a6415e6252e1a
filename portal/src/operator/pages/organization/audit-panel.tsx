import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { given } from '../../../base/search.ts';
import { Code } from '../../../ui/code.tsx';
import { ListPager } from '../../../ui/list-pager.tsx';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useLostCursor } from '../../../ui/use-lost-cursor.ts';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { useOrganizationSearch } from './organization-search.ts';

type AuditEvent = components['schemas']['AuditEvent'];

const ROWS = 10;

/** Who changed what, as the organization's admins see it. */
export function AuditPanel() {
  const { search, path, change } = useOrganizationSearch();
  const { audit_after: after, audit_before: before } = search;
  const asked = given({ after, before, limit: ROWS });
  const events = useQuery({
    queryKey: ['organization-audit', path, asked],
    queryFn: () =>
      unwrap(
        operatorApi.GET('/operator/api/organizations/{organization_id}/{environment}/audit-events', {
          params: { path, query: asked },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const first = { audit_after: undefined, audit_before: undefined };
  useLostCursor(events.error, () => change(first));
  return (
    <Panel title="Audit log" description="Of this mode and of the whole organization. Its members read the same.">
      <DataTable
        caption="Changes, newest first"
        counted={['entry', 'entries']}
        columns={columns}
        query={events}
        rowKey={({ event_id }) => event_id}
        loadingLines={ROWS}
        empty={<NothingHere>No changes yet.</NothingHere>}
      />
      <ListPager
        label="Pages of changes"
        page={events.data}
        onPage={(cursor) =>
          change({
            ...first,
            ...('after' in cursor ? { audit_after: cursor.after } : { audit_before: cursor.before }),
          })
        }
      />
      <CommandLine command={`bestow audit list --org ${path.organization_id}`} />
    </Panel>
  );
}

const columns: Column<AuditEvent>[] = [
  {
    header: 'Change',
    cell: ({ sentence, target, actor, created_at }) => (
      <>
        <span className="font-semibold wrap-anywhere">{sentence}</span>
        {target !== null && (
          <span className="hidden text-soft md:block">
            <Code>{target}</Code>
          </span>
        )}
        <span className="block text-sm wrap-anywhere text-soft md:hidden">
          {actor.name}, <Time at={created_at} />
        </span>
      </>
    ),
  },
  {
    header: 'By',
    isWide: true,
    cell: ({ actor }) => (
      <>
        <span className="block wrap-anywhere">{actor.name}</span>
        <span className="block text-sm wrap-anywhere text-soft">{actor.address}</span>
      </>
    ),
  },
  { header: 'Time', isWide: true, align: 'right', cell: ({ created_at }) => <Time at={created_at} /> },
];
