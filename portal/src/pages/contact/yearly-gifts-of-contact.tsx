import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { Contact } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { useGiftColumns } from '../calendar/gift-columns.tsx';

/** The next yearly gifts of a contact, as the calendar has them. */
export function YearlyGiftsOfContact({ contact }: { contact: Contact }) {
  const { path, params } = useScope();
  const { contact_id, birthday, work_anniversary } = contact;
  const { columns, question } = useGiftColumns({ hasYears: true });
  const gifts = useQuery({
    queryKey: ['calendar', path, 'contact', contact_id, birthday, work_anniversary],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/contacts/{contact_id}/yearly-gifts`, { params: { path: { ...path, contact_id } } }),
      ),
  });
  return (
    <Panel
      title="Next yearly gifts"
      actions={
        <ButtonLink to="/$organizationId/$environment/calendar" params={params} size="small">
          Calendar
        </ButtonLink>
      }
    >
      <DataTable
        caption="Next yearly gifts"
        counted={['gift', 'gifts']}
        columns={columns}
        query={gifts}
        rowKey={({ rule_id, year }) => `${rule_id} ${year}`}
        loadingLines={2}
        empty={<EmptyState title="No yearly gift comes">No rule of the calendar means this contact.</EmptyState>}
      />
      {question}
    </Panel>
  );
}
