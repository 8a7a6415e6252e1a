import assert from 'node:assert/strict';
import type { Answer } from './api-client.ts';
import type { PortalClient } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export interface PortalBalance {
  /** A path of one mode; the sandbox by default. */
  at(path: string, environment?: string): string;
  /** The body of a successful answer. */
  get(path: string, environment?: string): Promise<Answer['body']>;
  /** Status, code and parameter of an error. */
  refusal(method: string, path: string, body?: unknown): Promise<unknown[]>;
  /** The sandbox's balance in cents. */
  balanceNow(): Promise<number>;
  /** Audit events of this action by members, oldest first. */
  eventsOf(action: string): Promise<unknown[]>;
}

/** An organization's money as this person sees it in the portal. */
export function portalBalance(
  service: TestService,
  organization: TestOrganization,
  person: PortalClient,
): PortalBalance {
  const at = (path: string, environment = 'sandbox') =>
    `/organizations/${organization.organizationId}/${environment}${path}`;
  const get = async (path: string, environment = 'sandbox') => {
    const { status, body } = await person.call('GET', at(path, environment));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const refusal = async (method: string, path: string, body?: unknown) => {
    const answer = await person.call(method, path, body);
    const { code, param } = answer.body.error;
    return [answer.status, code, param];
  };
  const balanceNow = async () => (await get('/balance')).outlook.balance;
  const eventsOf = (action: string) =>
    service.sql(
      `select actor_kind, actor_name, environment, details from audit_events
       where organization_id = $1 and action = $2 and actor_kind = 'member' order by event_id`,
      [organization.organizationUuid, action],
    );
  return { at, get, refusal, balanceNow, eventsOf };
}
