import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { type CommandDeps, withDatabase } from './with-database.ts';

/**
 * Runs an act on the organization that the operator means, or on the only one.
 *
 * @param org as `identifyOrganization` takes it
 * @param act gets the organization's whole id (`org_…`)
 * @throws OperatorError as `withDatabase` and `identifyOrganization` do
 */
export const withOrganization = <Result>(
  org: string | undefined,
  act: (deps: CommandDeps, organizationId: string) => Promise<Result>,
  options: { migrates?: boolean } = {},
): Promise<Result> => withDatabase(async (deps) => act(deps, await identifyOrganization(deps, org)), options);

/** Runs an act on the organization that the operator means, or without `org` on all. */
export const withAnyOrganization = <Result>(
  org: string | undefined,
  act: (deps: CommandDeps, organizationId: string | undefined) => Promise<Result>,
  options: { migrates?: boolean } = {},
): Promise<Result> =>
  withDatabase(async (deps) => act(deps, org === undefined ? org : await identifyOrganization(deps, org)), options);
