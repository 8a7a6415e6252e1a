import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { shown } from '../../layout/shown-rows.ts';
import type { Found } from './found-records.tsx';

interface Row {
  key: string;
  organization_id: string;
  name: string;
  why: string;
}

/** Organizations by name or ID, and those that a person is a member of. */
export const FoundOrganizations = ({ organizations, members }: Pick<Found, 'organizations' | 'members'>) => (
  <Panel title="Organizations">
    <DataTable
      caption="Organizations that were found"
      counted={['organization', 'organizations']}
      columns={columns}
      query={shown([
        ...organizations.map(({ organization_id, name, suspended_at }) => ({
          key: organization_id,
          organization_id,
          name,
          why: suspended_at === null ? 'Active' : 'Suspended',
        })),
        ...members.map(({ organization_id, organization_name, member_id }) => ({
          key: member_id,
          organization_id,
          name: organization_name,
          why: `The person is a member (${member_id})`,
        })),
      ])}
      rowKey={({ key }) => key}
      rowLink={({ organization_id }) => ({
        to: '/organizations/$organizationId',
        params: { organizationId: organization_id },
      })}
      empty={null}
    />
  </Panel>
);

const columns: Column<Row>[] = [
  { header: 'Organization', cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi> },
  { header: 'Why', cell: ({ why }) => <span className="wrap-anywhere">{why}</span> },
];
