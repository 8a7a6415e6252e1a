import type { Permission } from '../api/permissions.ts';

/**
 * What a role must include to open a page and those below it: one of these, as each route that the page calls declares.
 * Pages that are left out are for all members.
 */
const needs: Readonly<Record<string, readonly Permission[]>> = {
  '/': ['money'],
  '/gifts': ['gifts'],
  '/gifts/send': ['order', 'request'],
  '/gifts/templates': ['order', 'request'],
  '/contacts': ['order', 'request'],
  '/calendar': ['order', 'request'],
  '/orders': ['gifts'],
  '/balance': ['money'],
  '/keys': ['integrations'],
  '/agents': ['integrations'],
  '/connect': ['integrate'],
  '/webhooks': ['integrations'],
  '/requests': ['integrations'],
  '/testing': ['integrations', 'test'],
  '/audit': ['activity'],
};

const SCOPE = '/$organizationId/$environment';

/** @param path of a route, such as `/$organizationId/$environment/gifts/$giftId` */
export function needsOf(path: string = SCOPE): readonly Permission[] | undefined {
  let page = path.slice(SCOPE.length) || '/';
  while (page !== '' && needs[page] === undefined) page = page.slice(0, page.lastIndexOf('/'));
  return needs[page];
}
