import type { Deps } from '../../core/deps.ts';
import { admitted, type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type FilteredPage, type FilteredRange, readFilteredPage } from '../../platform/paging/read-filtered-page.ts';
import { type Direction, type PageRequest, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import { otherForm } from './other-form.ts';
import {
  type ContactRow,
  contactExists,
  type PageParameters,
  searchByWords,
  selectContact,
  selectContacts,
} from './queries.ts';

export interface ContactFilters {
  tag?: string | undefined;
  externalId?: string | undefined;
  /** In lower case. */
  address?: string | undefined;
  /** As `suggestContacts` takes it. */
  text?: string | undefined;
}

type ReadDeps = Pick<Deps, 'database'>;

async function read(
  { database }: ReadDeps,
  caller: Caller,
  { tag, externalId, address, text }: ContactFilters,
  direction: Direction,
  range: FilteredRange,
) {
  const page: PageParameters = [...parametersOf(caller), ...range, tag ?? null, externalId ?? null, address ?? null];
  const rows =
    text === undefined
      ? await selectContacts[direction](database.read, page)
      : await searchByWords[direction](database.read, [...page, text, otherForm(text.trim())]);
  const [found] = rows;
  requireAdmitted(caller, found);
  return { found, rows: rows.filter(({ contact_id }) => contact_id !== null) };
}

/** Returns a page of contacts for `/v1`, newest first. @throws BestowError `cursor_invalid`; as `requireAdmitted` */
export const listContacts = (
  deps: ReadDeps,
  caller: Caller,
  { filters, ...request }: PageRequest & { filters: ContactFilters },
): Promise<FilteredPage<ContactRow>> =>
  readFilteredPage(request, {
    prefix: 'con',
    idOf: ({ contact_id }) => contact_id,
    read: (direction, range) => read(deps, caller, filters, direction, range),
  });

/** Returns a page of contacts for the portal. @throws BestowError `cursor_invalid` */
export const searchContacts = (
  deps: ReadDeps,
  scope: Scope,
  { filters, ...request }: PageRequest & { filters: ContactFilters },
): Promise<SearchPage<ContactRow>> =>
  readSearchPage(request, {
    prefix: 'con',
    idOf: ({ contact_id }) => contact_id,
    exists: (id) => contactExists(deps.database.read, [scope.organizationId, scope.environment, id]),
    read: async (direction, { above, below }, limit) =>
      (await read(deps, admitted(scope), filters, direction, [above, below, null, limit])).rows,
  });

/** @throws BestowError `resource_missing`; as `requireAdmitted` */
export async function findContact({ database }: ReadDeps, caller: Caller, contactId: string): Promise<ContactRow> {
  const [found] = await selectContact(database.read, [...parametersOf(caller), contactId]);
  requireAdmitted(caller, found);
  if (found.contact_id === null) throw new BestowError('resource_missing');
  return found;
}
