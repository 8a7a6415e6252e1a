import { useQuery } from '@tanstack/react-query';
import { usePaused } from '../base/use-paused.ts';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import { addressOf, type Contact, useMaySend } from './contacts.ts';
import { useScope } from './use-scope.ts';

/** One letter would find everyone. */
const MIN_LETTERS = 2;

/** As a list of suggestions shows it. */
export interface ContactOption {
  key: string;
  label: string;
  detail: string | undefined;
  contact: Contact;
}

const optionOf = (contact: Contact): ContactOption => ({
  key: contact.contact_id,
  label: contact.name ?? addressOf(contact),
  detail: contact.name === null ? undefined : addressOf(contact),
  contact,
});

/**
 * The contacts that a text finds, once the person pauses; an answer that is no longer asked for is aborted.
 *
 * @returns `suggestions` undefined for people who may not see contacts or their addresses
 */
export function useContactSuggestions(text: string): {
  suggestions: ContactOption[] | undefined;
  isSearching: boolean;
} {
  const { path } = useScope();
  const isAllowed = useMaySend();
  const sought = text.trim();
  const query = usePaused(sought);
  const isEnabled = isAllowed && query.length >= MIN_LETTERS && sought.length >= MIN_LETTERS;
  const found = useQuery({
    queryKey: ['contacts', path, 'suggestions', query],
    queryFn: ({ signal }) =>
      unwrap(api.GET(`${SCOPE_PATH}/contacts/suggestions`, { params: { path, query: { query } }, signal })),
    enabled: isEnabled,
  });
  return {
    suggestions: isAllowed ? (isEnabled ? (found.data?.data ?? []) : []).map(optionOf) : undefined,
    isSearching: isAllowed && (query !== sought || found.isLoading),
  };
}
