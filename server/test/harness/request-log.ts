import { findRequest } from '../../src/capabilities/request-log/find-request.ts';
import { listRequests, type RequestSearch } from '../../src/capabilities/request-log/list-requests.ts';
import type { LoggedRequest } from '../../src/capabilities/request-log/portal-schema.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import type { PageRequest } from '../../src/platform/paging/read-page.ts';
import { until } from './server-process.ts';
import type { TestService } from './test-service.ts';

type Owner = { organizationUuid: string };

/** Waits until the log holds this many of the organization's requests. */
export async function untilLogged(
  { service, clock }: TestService,
  { organizationUuid }: Owner,
  environment: Environment,
  count: number,
): Promise<void> {
  const scope = { organizationId: organizationUuid, environment };
  await until(async () => {
    await clock.advance(1_000);
    return (await listRequests(service.deps, scope, { limit: 1_000 })).rows.length >= count;
  }, `${count} requests in the log`);
}

/** A page of the log with all details, newest first. */
export async function readLog(
  { service }: TestService,
  { organizationUuid }: Owner,
  environment: Environment,
  search: RequestSearch & Partial<PageRequest> = {},
): Promise<LoggedRequest[]> {
  const scope = { organizationId: organizationUuid, environment };
  const { rows } = await listRequests(service.deps, scope, { limit: 100, ...search });
  return Promise.all(rows.map(({ request_id }) => findRequest(service.deps, scope, request_id)));
}
