import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { addressOf, type Contact } from '../../api/contacts.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Panel } from '../../ui/page.tsx';
import { DataTable } from '../../ui/table.tsx';
import { requestColumns } from '../approvals/request-list.tsx';

/** Of the open requests, the newest hundred are looked at. */
const MOST_REQUESTS = 100;

/** What waits for an approval and is for this contact; nothing if nothing does. */
export function RequestsOfContact({ contact }: { contact: Contact }) {
  const { path, params, currency, includes } = useScope();
  const requests = useQuery({
    queryKey: ['gift-requests', path, 'open'],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/gift-requests`, {
          params: { path, query: { state: 'open', limit: MOST_REQUESTS } },
        }),
      ),
    enabled: includes('people'),
  });
  const own = requests.data?.data.filter((request) => isFor(request, addressOf(contact))) ?? [];
  if (own.length === 0) return null;
  return (
    <Panel title="Waiting for approval">
      <DataTable
        caption="Waiting for approval"
        counted={['request', 'requests']}
        columns={requestColumns(currency)}
        query={{ ...requests, data: { data: own } }}
        rowKey={({ gift_request_id }) => gift_request_id}
        rowLink={({ gift_request_id }) => ({
          to: '/$organizationId/$environment/gifts/requests/$requestId',
          params: { ...params, requestId: gift_request_id },
        })}
        empty={null}
      />
    </Panel>
  );
}

const isFor = ({ gifts }: components['schemas']['GiftRequest'], contactAddress: string) =>
  gifts?.some(({ address }) => address?.toLowerCase() === contactAddress.toLowerCase()) ?? false;
