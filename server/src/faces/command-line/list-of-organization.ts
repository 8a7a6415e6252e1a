import { findOrganization } from '../../core/organizations/find-organization.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import type { PageRequest, SearchPage } from '../../platform/paging/read-page.ts';
import { showWork } from './show-progress.ts';
import type { CommandDeps } from './with-database.ts';
import { withOrganization } from './with-organization.ts';

interface ListOptions {
  org?: string;
  environment: Environment;
  limit: number;
}

/** Reads the newest rows of an organization's list, up to the limit. @throws OperatorError if there is no such organization */
export function listOfOrganization<Row>(
  { org, environment, limit }: ListOptions,
  readPage: (deps: CommandDeps, scope: Scope, page: PageRequest) => Promise<SearchPage<Row>>,
): Promise<{ rows: Row[]; currency: string }> {
  const act = async (deps: CommandDeps, id: string, say: (progress: string) => void) => {
    const { organization_id: organizationId } = await findOrganization(deps, id);
    const rows: Row[] = [];
    const read = async (asked: PageRequest) => {
      const page = await readPage(deps, { organizationId, environment }, asked);
      if (page.searched_to !== null) say(`back to ${page.searched_to.toISOString().slice(0, 10)}`);
      return page;
    };
    for await (const row of readAllPages({}, read)) {
      rows.push(row);
      if (rows.length === limit) break;
    }
    return { rows, currency: deps.config.currency };
  };
  return showWork('Searching', (say) => withOrganization(org, (deps, id) => act(deps, id, say)));
}
