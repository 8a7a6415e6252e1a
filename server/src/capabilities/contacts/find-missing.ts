import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import { searchContacts } from './list-contacts.ts';
import { type ContactRow, selectSame } from './queries.ts';

/** A page shows each of them, and nothing is done to others. */
const MOST_SHOWN = 200;

interface Search {
  /** UUIDs of the contacts that the file has. */
  inFile: readonly string[];
  /** What rows of the file have that are not imported. */
  leftOut?: { addresses: readonly string[]; external_ids: readonly string[] } | undefined;
  /** UUIDs of contacts of people who left, as the file says. */
  left: readonly string[];
  /** Which contacts the file should have; undefined: none. */
  among?: { tag?: string | undefined } | undefined;
}

/** Finds the contacts of people who left, and then those that a file should have and has not, newest first. */
export async function findMissing(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  { inFile, left, leftOut, among }: Search,
): Promise<{ rows: ContactRow[]; count: number }> {
  const { organizationId, environment } = scope;
  const rows = await selectSame(deps.database.read, [organizationId, environment, left.slice(0, MOST_SHOWN), [], []]);
  let count = left.length;
  if (among === undefined) return { rows, count };
  const { addresses = [], external_ids = [] } = leftOut ?? {};
  const folded = addresses.map((address) => address.toLowerCase());
  const out = await selectSame(deps.database.read, [organizationId, environment, [], external_ids, folded]);
  const known = new Set([...inFile, ...left, ...out.map(({ contact_id }) => contact_id)]);
  const all = readAllPages({}, (request) => searchContacts(deps, scope, { ...request, filters: { tag: among.tag } }));
  for await (const row of all) {
    if (known.has(row.contact_id)) continue;
    count += 1;
    if (rows.length < MOST_SHOWN) rows.push(row);
  }
  return { rows, count };
}
