import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';
import { useScope } from './use-scope.ts';

export type UnsentGifts = components['schemas']['UnsentGifts'];

type Path = ReturnType<typeof useScope>['path'];

/** Never from memory: a gift may have been approved a moment ago. */
const fresh = { staleTime: 0, gcTime: 0 } as const;

/** What a rule ordered or asked for, and is not sent. @param next the tag that it would have; then what it would not send */
export const unsentOfRule = (path: Path, ruleId: string, next?: { tag: string | null }) =>
  queryOptions({
    queryKey: ['calendar', path, ruleId, 'unsent', next],
    queryFn: () => {
      const query = next && (next.tag === null ? { next: 'all' as const } : { next: 'tag' as const, tag: next.tag });
      const params = { path: { ...path, rule_id: ruleId }, ...(query && { query }) };
      return unwrap(api.GET(`${SCOPE_PATH}/yearly-rules/{rule_id}/unsent-gifts`, { params }));
    },
    ...fresh,
  });

/** What is ordered or asked for contacts, and is not sent. */
export function useUnsentOfContacts(contactIds: readonly string[]) {
  const { path } = useScope();
  const body = { contact_ids: [...contactIds] };
  return useQuery({
    queryKey: ['contacts', path, 'unsent', contactIds],
    queryFn: () => unwrap(api.POST(`${SCOPE_PATH}/contacts/unsent-gifts`, { params: { path }, body })),
    enabled: contactIds.length > 0,
    ...fresh,
  });
}

/** Whether there is something to ask about. */
export const hasUnsent = (unsent: UnsentGifts | undefined): unsent is UnsentGifts =>
  unsent !== undefined && unsent.gifts + unsent.requests > 0;
