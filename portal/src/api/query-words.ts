/**
 * The first words of the keys of queries: which lists and single things pages read. After the word, a key has the
 * organization or its environment, and then the filters or the id.
 */
export type QueryWord = PortalWord | OperatorWord;

type PortalWord =
  | 'approval-rules'
  | 'approvals'
  | 'audit'
  | 'balance'
  | 'batches'
  | 'brand'
  | 'brand-preview'
  | 'calendar'
  | 'cards'
  | 'categories'
  | 'connection'
  | 'contacts'
  | 'events'
  | 'gift'
  | 'gift-message'
  | 'gift-preview'
  | 'gift-requests'
  | 'gift-templates'
  | 'gift-views'
  | 'gifts'
  | 'grants'
  | 'issuers'
  | 'keys'
  | 'limits'
  | 'me'
  | 'members'
  | 'orders'
  | 'overview'
  | 'passkeys'
  | 'program'
  | 'requests'
  | 'resends'
  | 'roles'
  | 'sender-domain'
  | 'sessions'
  | 'sign-in-events'
  | 'spending-caps'
  | 'teams'
  | 'testing'
  | 'topups'
  | 'webhooks';

type OperatorWord =
  | 'begin-session'
  | 'catalog'
  | 'failing-messages'
  | 'findings'
  | 'gift'
  | 'health'
  | 'issuer-kinds'
  | 'log'
  | 'money'
  | 'operators'
  | 'organization'
  | 'organization-audit'
  | 'organization-entries'
  | 'organization-gifts'
  | 'organizations'
  | 'search'
  | 'session'
  | 'topups'
  | 'work';

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [QueryWord, ...unknown[]];
  }
}
