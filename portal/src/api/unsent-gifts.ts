import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';
import { useScope } from './use-scope.ts';

export type UnsentGifts = components['schemas']['UnsentGifts'];

type Path = ReturnType<typeof useScope>['path'];

/** Never from memory: a gift may have been approved a moment ago. */
const fresh = { staleTime: 0, gcTime: 0 } as const;

/** What is ordered or asked for a contact, and is not sent. */
const ofContact = (path: Path, contactId = '') =>
  queryOptions({
    queryKey: ['contacts', path, contactId, 'unsent'],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/contacts/{contact_id}/unsent-gifts`, {
          params: { path: { ...path, contact_id: contactId } },
        }),
      ),
    ...fresh,
  });

/** What a rule ordered or asked for, and is not sent. */
export const unsentOfRule = (path: Path, ruleId: string) =>
  queryOptions({
    queryKey: ['calendar', path, ruleId, 'unsent'],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/yearly-rules/{rule_id}/unsent-gifts`, {
          params: { path: { ...path, rule_id: ruleId } },
        }),
      ),
    ...fresh,
  });

/** @param contactId undefined for a new contact, who has none */
export function useUnsentOfContact(contactId: string | undefined) {
  const { path } = useScope();
  return useQuery({ ...ofContact(path, contactId), enabled: contactId !== undefined });
}

/** Whether there is something to ask about. */
export const hasUnsent = (unsent: UnsentGifts | undefined): unsent is UnsentGifts =>
  unsent !== undefined && unsent.gifts + unsent.requests > 0;

/** What pages show anew when such gifts change. */
export const changedByGifts = [
  'contacts',
  'calendar',
  'gift-requests',
  'gifts',
  'orders',
  'balance',
  'overview',
] as const;
