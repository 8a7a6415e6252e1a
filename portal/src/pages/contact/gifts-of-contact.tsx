import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { Contact } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { usualColumns } from '../gifts/gift-column-names.ts';
import { giftColumns } from '../gifts/gift-columns.tsx';

type Cursor = { after?: string; before?: string };

/** The gifts to the address of a contact; nothing for people who see no gifts. */
export function GiftsOfContact({ contact: { contact_id } }: { contact: Contact }) {
  const { path, params, currency, includes } = useScope();
  const [cursor, setCursor] = useState<Cursor>({});
  const gifts = useQuery({
    queryKey: ['gifts', path, 'contact', contact_id, cursor],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/contacts/{contact_id}/gifts`, {
          params: { path: { ...path, contact_id }, query: cursor },
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: includes('gifts'),
  });
  if (!includes('gifts')) return null;
  return (
    <Panel title="Gifts">
      <DataTable
        caption="Gifts"
        counted={['gift', 'gifts']}
        columns={giftColumns(usualColumns, currency)}
        query={gifts}
        rowKey={({ gift_id }) => gift_id}
        rowLink={({ gift_id }) => ({
          to: '/$organizationId/$environment/gifts/$giftId',
          params: { ...params, giftId: gift_id },
        })}
        loadingLines={3}
        empty={
          <EmptyState title="No gifts yet">{includes('others') ? undefined : 'You see what you sent.'}</EmptyState>
        }
      />
      <ListPager page={gifts.data} onPage={setCursor} label="Pages of gifts" />
    </Panel>
  );
}
