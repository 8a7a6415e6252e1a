import { createKey } from '../../../server/src/keys/key-format.ts';
import { listKeys } from '../../../server/src/keys/list-keys.ts';
import { revokeKey } from '../../../server/src/keys/revoke-key.ts';
import { suspendOrganization } from '../../../server/src/organizations/suspend-organization.ts';
import { deleteSandbox } from '../../../server/src/sandbox/delete-sandbox.ts';
import { OPERATOR } from '../../../server/test/harness/operator.ts';
import type { TestOrganization, TestService } from '../../../server/test/harness/test-service.ts';
import type { KeyKind } from './drawn-request.ts';

/** The Authorization header of each kind of key; undefined: none is sent. */
export type Authorizations = Record<KeyKind, string | undefined>;

export async function openKeys(service: TestService, organization: TestOrganization): Promise<Authorizations> {
  const { deps } = service.service;
  const { organizationId, keys } = organization;
  const revoked = await organization.newKey('sandbox');
  const [latest] = (await listKeys(deps, organizationId)).filter(({ hint }) => hint.endsWith(revoked.slice(-4)));
  await revokeKey(deps, { organizationId, keyId: latest?.key_id ?? '', actor: OPERATOR });
  const suspended = await service.organization();
  await suspendOrganization(deps, { organizationId: suspended.organizationId, actor: OPERATOR });
  const withoutSandbox = await service.organization();
  await deleteSandbox(deps, { organizationId: withoutSandbox.organizationId, actor: OPERATOR });
  const bearer = (key: string) => `Bearer ${key}`;
  return {
    sandbox: bearer(keys.sandbox),
    live: bearer(keys.live),
    none: undefined,
    otherScheme: `Basic ${Buffer.from(`:${keys.sandbox}`).toString('base64')}`,
    mistyped: bearer(keys.sandbox.slice(0, -1) + (keys.sandbox.endsWith('x') ? 'y' : 'x')),
    unknown: bearer(createKey('sandbox')),
    revoked: bearer(revoked),
    suspended: bearer(suspended.keys.live),
    noSandbox: bearer(withoutSandbox.keys.sandbox),
    otherEnvironment: bearer(keys.sandbox),
  };
}
