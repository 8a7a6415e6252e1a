import type { Deps } from '../../core/deps.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import { recordEvent } from './actions.ts';
import { type ContactFilters, searchContacts } from './list-contacts.ts';

/** The headings are those that an import knows. */
export const contactExportColumns = [
  { key: 'email', header: 'Email' },
  { key: 'phone', header: 'Phone' },
  { key: 'name', header: 'Name' },
  { key: 'language', header: 'Language' },
  { key: 'tags', header: 'Tags' },
  { key: 'external_id', header: 'External id' },
  { key: 'birthday', header: 'Birthday' },
  { key: 'work_anniversary', header: 'Work anniversary' },
] as const;

/** Records the export, then yields every contact that matches, newest first. */
export async function exportContacts(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  scope: Scope,
  { filters, actor }: { filters: ContactFilters; actor: Actor },
): Promise<AsyncGenerator<object, void>> {
  const { organizationId, environment } = scope;
  await inOrganization(deps.database, organizationId, (client) =>
    recordEvent(client, deps, actor, { organizationId, environment, action: 'contacts.exported', details: {} }),
  );
  return rowsOf(deps, scope, filters);
}

async function* rowsOf(deps: Pick<Deps, 'database'>, scope: Scope, filters: ContactFilters) {
  const rows = readAllPages({}, (request) => searchContacts(deps, scope, { ...request, filters }));
  for await (const { method, address, tags, ...contact } of rows)
    yield { ...contact, [method]: address, tags: tags.map(quoted).join('; ') };
}

/** An import would split a tag such as `Berlin, Mitte`, or take it for a label of Google. */
const quoted = (tag: string) => (/[;,]| ::: |^["*]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag);
