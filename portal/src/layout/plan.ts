import { CheckIcon, PaperPlaneIcon } from '@radix-ui/react-icons';
import { useMatches } from '@tanstack/react-router';
import type { Permission } from '../api/permissions.ts';
import { useScope } from '../api/use-scope.ts';
import { CardIcon, ContactIcon, ListIcon, OverviewIcon, SliderIcon } from './drawn-icons.tsx';
import { needsOf } from './page-needs.ts';

const ROOT = '/$organizationId/$environment';

/** Who only reads gifts has no requests. */
const asking: readonly Permission[] = ['approve', 'order', 'request'];
const spending: readonly Permission[] = ['order', 'request', 'approve', 'money', 'settings'];
const arranging: readonly Permission[] = ['settings', 'members', 'test'];

/**
 * An entry of the menu and its pages, which are tabs. A page has a letter after `g`, if it needs one, and is shown to those who
 * can use it: one of these permissions, where they are narrower than what opens the page.
 */
const sending = {
  label: 'Send',
  icon: PaperPlaneIcon,
  pages: [
    { to: `${ROOT}/gifts/send`, label: 'Send a gift' },
    { to: `${ROOT}/gifts/send-many`, label: 'Send many', isFor: ['order'] },
    { to: `${ROOT}/gifts/templates`, label: 'Templates' },
    { to: `${ROOT}/gifts/files`, label: 'Sent files', isFor: ['order'] },
  ],
} as const;

const entries = [
  { label: 'Overview', icon: OverviewIcon, pages: [{ to: ROOT, label: 'Overview', key: 'h' }] },
  {
    label: 'Gifts',
    icon: ListIcon,
    pages: [
      { to: `${ROOT}/gifts`, label: 'Gifts', key: 'g' },
      { to: `${ROOT}/orders`, label: 'Orders', key: 'o' },
    ],
  },
  {
    label: 'People',
    icon: ContactIcon,
    pages: [
      { to: `${ROOT}/contacts`, label: 'Contacts', key: 'c' },
      { to: `${ROOT}/calendar`, label: 'Calendar', key: 'd' },
    ],
  },
  {
    label: 'Approvals',
    icon: CheckIcon,
    pages: [
      { to: `${ROOT}/gifts/requests`, label: 'Approvals', key: 'p', isFor: asking },
      { to: `${ROOT}/spending`, label: 'Spending', key: 'l', isFor: spending },
    ],
  },
  { label: 'Balance', icon: CardIcon, pages: [{ to: `${ROOT}/balance`, label: 'Balance', key: 'b' }] },
  {
    label: 'Settings',
    icon: SliderIcon,
    pages: [
      { to: `${ROOT}/settings`, label: 'Organization', key: 's', isFor: arranging },
      { to: `${ROOT}/members`, label: 'Members', key: 'm', isFor: ['members'] },
      { to: `${ROOT}/members/roles`, label: 'Roles', isFor: ['members'] },
      { to: `${ROOT}/members/teams`, label: 'Teams', isFor: ['members'] },
      { to: `${ROOT}/brand`, label: 'Brand', key: 'f', isFor: ['settings'] },
      { to: `${ROOT}/audit`, label: 'Audit log', key: 'a' },
    ],
  },
  {
    label: 'Developers',
    /** Reached by a tab of that entry. */
    within: 'Settings',
    icon: SliderIcon,
    pages: [
      { to: `${ROOT}/keys`, label: 'API keys', key: 'k' },
      { to: `${ROOT}/agents`, label: 'Agents', key: 'n' },
      { to: `${ROOT}/webhooks`, label: 'Webhooks', key: 'w' },
      { to: `${ROOT}/requests`, label: 'API log', key: 'r' },
      { to: `${ROOT}/testing`, label: 'Testing', key: 't' },
    ],
  },
] as const;

type Section = typeof sending | (typeof entries)[number];
export type PlannedPage = Section['pages'][number];

/** A section with the pages that the person can use. */
export interface ShownSection {
  label: string;
  icon: Section['icon'];
  /** At least one in the menu. */
  pages: readonly PlannedPage[];
  /** Where its entry leads. */
  to: PlannedPage['to'];
  /** The entry whose tab leads to it. */
  within: string | undefined;
}

/** What the portal has for this person. */
export function usePlan() {
  const { includes } = useScope();
  const isShown = (page: PlannedPage) =>
    [needsOf(page.to), 'isFor' in page ? page.isFor : undefined].every((needs) => !needs || includes(...needs));
  const show = (section: Section): ShownSection => {
    const pages = (section.pages as readonly PlannedPage[]).filter(isShown);
    return {
      label: section.label,
      icon: section.icon,
      pages,
      to: (pages[0] ?? section.pages[0]).to,
      within: 'within' in section ? section.within : undefined,
    };
  };
  const sections = entries.map(show).filter(({ pages }) => pages.length > 0);
  const isInMenu = ({ within }: ShownSection) => !sections.some(({ label }) => label === within);
  return { sending: show(sending), sections, menu: sections.filter(isInMenu) };
}

/** Every page of this person with its section, in the order of the menu. */
export function usePages() {
  const { sending, sections } = usePlan();
  return [...sections, sending].flatMap(({ label: section, pages }) => pages.map((page) => ({ ...page, section })));
}

/** Where the person is: the page of the plan that the open one is, or is below. */
export function useHere() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? ROOT }).replace(/\/$/, '');
  const isBelow = ({ to }: PlannedPage) => path === to || (to !== ROOT && path.startsWith(`${to}/`));
  const all = [sending, ...entries].flatMap(({ label, pages }) => pages.map((page) => ({ ...page, section: label })));
  // The approvals are below the gifts by their address, not by the plan.
  const page = all.filter(isBelow).sort((a, b) => b.to.length - a.to.length)[0];
  return { page: page?.to, section: page?.section, isExact: page?.to === path };
}
