import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import { useContactSuggestions } from '../api/contact-suggestions.ts';
import { useTags } from '../api/contacts.ts';
import { membersQuery } from '../api/member-acts.ts';
import { useScope } from '../api/use-scope.ts';
import { servicePath } from '../base/address.ts';
import { foldText } from '../base/fold-text.ts';
import { usePaused } from '../base/use-paused.ts';
import { countOf, formatMoney, formatTime } from '../ui/formats.ts';
import { giftStateName } from '../ui/gift-status.tsx';
import type { Option } from '../ui/option-list.tsx';
import { useActs } from './palette-acts.ts';
import { usePages } from './plan.ts';

/** One of three ways to follow it. */
export type Choice = Option &
  (
    | { link: LinkProps; href?: undefined; act?: undefined }
    | { href: string; link?: undefined; act?: undefined }
    | { act: () => void; link?: undefined; href?: undefined }
  );

const SHOWN = 5;
/** A search by fewer letters would find everyone. */
const MIN_LETTERS = 3;

const ids = [
  [/^gift_[0-9a-z]{26}$/i, 'Gift', '/$organizationId/$environment/gifts/$giftId', 'giftId', 'gifts'],
  [/^ord_[0-9a-z]{26}$/i, 'Order', '/$organizationId/$environment/orders/$orderId', 'orderId', 'gifts'],
  [/^req_[0-9a-z]{26}$/i, 'Request', '/$organizationId/$environment/requests/$requestId', 'requestId', 'integrations'],
] as const;

/** Gifts by id, address, name, external id or metadata; the id is enough for those who see no addresses. */
function useGifts(text: string) {
  const { path, includes } = useScope();
  const query = usePaused(text);
  const isEnabled = query.length >= MIN_LETTERS && includes('gifts') && includes('people');
  const gifts = useQuery({
    queryKey: ['gifts', path, 'palette', query],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/gifts`, { params: { path, query: { query, limit: SHOWN } } })),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  return { found: isEnabled ? (gifts.data?.data ?? []) : [], isSearching: query !== text || gifts.isLoading };
}

/** Returns whether one of some texts has the text that a person seeks. */
function finderOf(text: string): (...texts: (string | null)[]) => boolean {
  const folded = foldText(text);
  return (...texts) => texts.some((one) => one !== null && foldText(one).includes(folded));
}

/** What the person can begin, and the pages: by their names, or that of their entry of the menu. */
function usePlanned(has: ReturnType<typeof finderOf>): Choice[] {
  const { params } = useScope();
  const pages = usePages();
  return [
    ...useActs()
      .filter(({ label }) => has(label))
      .map(({ label, link }) => ({ key: label, label, kind: 'Act', link })),
    ...pages
      .filter(({ label, section }) => has(label, section))
      .map(({ to, label, section }) => ({
        key: to,
        label,
        kind: label === section ? 'Page' : section,
        link: { to, params } as LinkProps,
      })),
  ];
}

export function useChoices(text: string, onHelp: () => void): { choices: Choice[]; isSearching: boolean } {
  const { params, organizationId, currency, includes } = useScope();
  const { found, isSearching } = useGifts(text);
  const contacts = useContactSuggestions(text);
  const tags = useTags();
  const members = useQuery({ ...membersQuery(organizationId), enabled: text !== '' }).data?.data ?? [];
  const sought = text.toLowerCase();
  const has = finderOf(text);
  const planned = usePlanned(has);
  const choices: Choice[] = [
    ...ids
      .filter(([pattern, , , , needed]) => pattern.test(text) && includes(needed))
      .map(([, kind, to, name]) => ({
        key: text,
        label: text,
        kind,
        link: { to, params: { ...params, [name]: sought } } as LinkProps,
      })),
    ...planned,
    ...found
      .filter(({ gift_id }) => gift_id !== sought)
      .map(({ gift_id, recipient_name, address, amount, state, created_at }) => ({
        key: gift_id,
        detail: `${formatMoney(amount, currency)} · ${giftStateName(state)} · ${formatTime(created_at)}`,
        label: [recipient_name, address].filter((one) => one !== null).join(', ') || gift_id,
        kind: 'Gift',
        link: {
          to: '/$organizationId/$environment/gifts/$giftId',
          params: { ...params, giftId: gift_id },
        } as LinkProps,
      })),
    ...(contacts.suggestions ?? []).slice(0, SHOWN).map(({ key, label, detail }) => ({
      key,
      label,
      detail,
      kind: 'Contact',
      link: {
        to: '/$organizationId/$environment/contacts/$contactId',
        params: { ...params, contactId: key },
      } as LinkProps,
    })),
    ...(text === '' ? [] : tags.filter(({ tag }) => has(tag)).slice(0, SHOWN)).map(({ tag, contacts: count }) => ({
      key: `tag ${tag}`,
      label: tag,
      detail: countOf(count, 'contact'),
      kind: 'Tag',
      link: { to: '/$organizationId/$environment/contacts', params, search: { tag } } as LinkProps,
    })),
    ...(text === '' ? [] : members.filter(({ email, name }) => has(email, name)).slice(0, SHOWN)).map(
      ({ member_id, email, name }) => ({
        key: member_id,
        label: name === null ? email : `${name}, ${email}`,
        kind: 'Member',
        link: { to: '/$organizationId/$environment/members', params } as LinkProps,
      }),
    ),
    ...(text === ''
      ? [{ key: 'shortcuts', label: 'Keyboard shortcuts', kind: 'Help', act: onHelp }]
      : [
          {
            key: 'docs',
            label: `Search the documentation for “${text}”`,
            kind: 'Docs',
            href: `${servicePath}/docs/search?${new URLSearchParams({ q: text })}`,
          },
        ]),
  ];
  return { choices, isSearching: isSearching || contacts.isSearching };
}
