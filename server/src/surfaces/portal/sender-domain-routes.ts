import { Type } from 'typebox';
import type { DomainDeps } from '../../core/face/resolve-txt.ts';
import { addDomain, checkDomain, removeDomain, showDomain } from '../../core/face/sender-domain.ts';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { nullable, oneOf, Time } from '../../platform/api/schema.ts';

const PATH = '/organizations/{organization_id}/brand/sender-domain';

const SenderDomain = Type.Object(
  {
    is_possible: Type.Boolean({ description: 'Whether this service sends from domains of organizations.' }),
    domain: nullable(
      Type.Object({
        address: Type.String({ description: 'The sender of gift emails, if the domain is verified.' }),
        domain: Type.String(),
        is_verified: Type.Boolean(),
        checked_at: nullable(Time),
        records: Type.Array(
          Type.Object({
            kind: oneOf('spf', 'dkim', 'dmarc'),
            name: Type.String(),
            value: Type.String({ description: 'The TXT record to publish. An SPF record can have more terms.' }),
            state: nullable(oneOf('found', 'missing', 'wrong', 'unknown')),
            found: nullable(Type.String({ description: 'What DNS has.' })),
          }),
          { description: 'DMARC is only read; SPF and DKIM must be found.' },
        ),
      }),
    ),
  },
  { $id: 'SenderDomain' },
);

const organizationOf = ({ organization_id }: { organization_id: string }) => requireId('org', organization_id);
const changed = {
  tag: 'Brand',
  access: 'member',
  needs: 'settings',
  needsFreshSignIn: true,
  response: SenderDomain,
} as const;

/** The domain from which gift emails come. */
export function senderDomainRoutes(register: Register, deps: DomainDeps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showSenderDomain',
      tag: 'Brand',
      summary: 'The organization’s own sender domain, and the DNS records that it needs.',
      access: 'member',
      response: SenderDomain,
    },
    ({ params }) => showDomain(deps, organizationOf(params)),
  );

  register(
    {
      ...changed,
      method: 'PUT',
      path: PATH,
      operationId: 'addSenderDomain',
      summary: 'Adds a sender domain with a new DKIM key. It is used as soon as it is verified.',
      body: Type.Object({ address: { ...EmailDelivery.properties.email, description: 'The sender of gift emails.' } }),
    },
    async ({ params, body: { address }, member: { actor } }) => {
      const organizationId = organizationOf(params);
      await addDomain(deps, { organizationId, address, actor });
      return await showDomain(deps, organizationId);
    },
  );

  register(
    {
      ...changed,
      method: 'POST',
      path: `${PATH}/check`,
      operationId: 'checkSenderDomain',
      summary: 'Looks the DNS records up now.',
    },
    async ({ params, member: { actor } }) => {
      const organizationId = organizationOf(params);
      await checkDomain(deps, { organizationId, actor });
      return await showDomain(deps, organizationId);
    },
  );

  register(
    {
      ...changed,
      method: 'DELETE',
      path: PATH,
      operationId: 'removeSenderDomain',
      summary: 'Removes the sender domain and its key.',
    },
    async ({ params, member: { actor } }) => {
      const organizationId = organizationOf(params);
      await removeDomain(deps, { organizationId, actor });
      return await showDomain(deps, organizationId);
    },
  );
}
