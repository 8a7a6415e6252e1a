import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';
import { useScope } from './use-scope.ts';

export type Contact = components['schemas']['Contact'];

export const addressOf = ({ delivery }: Pick<Contact, 'delivery'>): string => delivery.email ?? delivery.phone ?? '';

/** Whether the person can send a gift to a contact, or ask for one: they need the whole address. */
export function useMaySend(): boolean {
  const { may, includes } = useScope();
  return may('order', 'request') && includes('people');
}

/** The tags of the contacts, most used first. */
export function useTags() {
  const { path, may } = useScope();
  const tags = useQuery({
    queryKey: ['contacts', path, 'tags'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/contacts/tags`, { params: { path } })),
    enabled: may('order', 'request'),
  });
  return tags.data?.data ?? [];
}

/** One contact; nothing without an id. */
export function useContact(contactId: string | undefined) {
  const { path, may } = useScope();
  return useQuery({
    queryKey: ['contacts', path, contactId],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/contacts/{contact_id}`, { params: { path: { ...path, contact_id: contactId ?? '' } } }),
      ),
    enabled: contactId !== undefined && may('order', 'request'),
  });
}
