import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { CommandLine } from '../../layout/command-line.tsx';

type Operator =
  paths['/operator/api/operators']['get']['responses'][200]['content']['application/json']['data'][number];

/** Who may open this page. Only the command adds and removes them. */
export function OperatorsPanel() {
  const operators = useQuery({
    queryKey: ['operators'],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/operators')),
  });
  return (
    <Panel title="Operators" description="Who may open this page. Only the command adds and removes them.">
      <DataTable
        caption="Operators"
        columns={columns}
        query={operators}
        rowKey={({ email }) => email}
        loadingLines={3}
        // The person who looks at the list is one.
        empty={null}
      />
      <CommandLine command="bestow operator add olga@gifts.example" />
    </Panel>
  );
}

const columns: Column<Operator>[] = [
  {
    header: 'Operator',
    cell: ({ email, added_by, created_at }) => (
      <>
        <span className="font-semibold wrap-anywhere">{email}</span>
        <span className="block text-sm text-soft">
          Added <Time at={created_at} /> by {added_by}
        </span>
      </>
    ),
  },
  {
    header: 'Second factor',
    cell: ({ has_second_factor }) =>
      has_second_factor ? <Badge tone="good">Set up</Badge> : <Badge tone="warn">Missing</Badge>,
  },
  {
    header: 'Last session',
    isWide: true,
    align: 'right',
    cell: ({ last_session_at }) => (last_session_at === null ? 'Never' : <Time at={last_session_at} />),
  },
];
