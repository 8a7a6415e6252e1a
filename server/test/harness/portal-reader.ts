import assert from 'node:assert/strict';
import type { PageRequest, SearchPage } from '../../src/platform/paging/read-page.ts';
import { createPortalClient, type PortalAnswer, type PortalClient } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** Reads the portal as the admin of every organization, who signs in again after each long pause. */
export interface PortalReader {
  answer(organization: TestOrganization, path: string, environment?: string): Promise<PortalAnswer>;
  /** The body of a successful answer. */
  get(organization: TestOrganization, path: string, environment?: string): Promise<PortalAnswer['body']>;
  /** Reads pages of a list. */
  pages(
    organization: TestOrganization,
    path: string,
    query?: Record<string, string>,
  ): (request: PageRequest) => Promise<SearchPage<PortalAnswer['body']>>;
}

export function portalReader(service: TestService): PortalReader {
  let admin: PortalClient | undefined;
  async function answer({ organizationId }: TestOrganization, path: string, environment = 'sandbox') {
    const ask = async () => {
      admin ??= await createPortalClient(service, 'admin@example.com');
      return await admin.call('GET', `/organizations/${organizationId}/${environment}${path}`);
    };
    const answered = await ask();
    if (answered.status !== 401) return answered;
    admin = undefined;
    return await ask();
  }
  const get: PortalReader['get'] = async (...asked) => {
    const { status, body } = await answer(...asked);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  return {
    answer,
    get,
    pages:
      (organization, path, query = {}) =>
      async (request) => {
        const given = Object.entries({ ...query, ...request }).filter(([, value]) => value !== undefined);
        const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
        const { data: rows, ...cursors } = await get(organization, `${path}?${search}`);
        return { rows, ...cursors };
      },
  };
}
