import type { Environment } from '../../platform/base/environment.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { readAllPages } from '../../platform/paging/read-all-pages.ts';
import type { PageRequest, SearchPage } from '../../platform/paging/read-page.ts';
import { findOrganization } from '../organizations/find-organization.ts';
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
  return withOrganization(org, async (deps, id) => {
    const { organization_id: organizationId } = await findOrganization(deps, id);
    const rows: Row[] = [];
    for await (const row of readAllPages({}, (page) => readPage(deps, { organizationId, environment }, page))) {
      rows.push(row);
      if (rows.length === limit) break;
    }
    return { rows, currency: deps.config.currency };
  });
}
