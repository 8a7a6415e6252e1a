import sharp from 'sharp';
import { selectDomain } from '../../src/core/face/domain-queries.ts';
import { addDomain, checkDomain, removeDomain } from '../../src/core/face/sender-domain.ts';
import { setBrand } from '../../src/core/face/set-brand.ts';
import { setLogo } from '../../src/core/face/set-logo.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { type AuditedAct, ofOrganization } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

export const BRAND = {
  color: '#1f5fa8',
  text_color: '#ffffff',
  footer: 'Acme Inc.\n1 Main Street',
  sender_name: 'Acme Gifts',
  reply_to: 'people@acme.example',
  subject: 'A thank-you from {sender}',
};

/** A drawing of one colour. @param color with its opacity, such as `#1f5fa880` */
export const picture = (width: number, height: number, color = '#1f5fa8') =>
  sharp({ create: { width, height, channels: 4, background: color } });

const addLogo = async (deps: AllDeps, { organizationUuid }: TestOrganization, actor: Actor) => {
  const file = (await picture(300, 100).png().toBuffer()).toString('base64');
  await setLogo(deps, { organizationId: organizationUuid, file, actor });
};

const ADDRESS = 'gifts@acme.example';

/** With DNS that has every record. */
const withDns = (deps: AllDeps, { organizationUuid }: TestOrganization): AllDeps => ({
  ...deps,
  config: { ...deps.config, senderDomainSpf: 'include:mail.example' },
  async resolveTxt(name) {
    if (!name.includes('_domainkey')) return name.startsWith('_dmarc') ? [] : ['v=spf1 include:mail.example -all'];
    const [row] = await selectDomain(deps.database.pool, [organizationUuid]);
    return [`v=DKIM1; k=rsa; p=${row?.public_key}`];
  },
});

const addSender = async (deps: AllDeps, organization: TestOrganization, actor: Actor) =>
  addDomain(withDns(deps, organization), { organizationId: organization.organizationUuid, address: ADDRESS, actor });

const withSender = async (deps: AllDeps, organization: TestOrganization) => {
  await addSender(deps, organization, OPERATOR);
  return undefined;
};

/** The acts on how the organization looks. */
export const auditedBrandActs = {
  'brand.set': {
    act: (deps, { organizationUuid }, actor) =>
      setBrand(deps, { organizationId: organizationUuid, brand: BRAND, actor }),
    ...ofOrganization,
    sentence:
      'Set how the organization looks: color “#1f5fa8”, text color “#ffffff”, footer “Acme Inc.\n1 Main Street”, sender name “Acme Gifts”, reply to “people@acme.example”, subject “A thank-you from {sender}”',
  },
  'brand.logo_set': {
    act: addLogo,
    ...ofOrganization,
    sentence: 'Set a logo of 300 × 100 pixels',
  },
  'brand.logo_removed': {
    async prepare(deps, organization) {
      await addLogo(deps, organization, OPERATOR);
      return undefined;
    },
    act: (deps, { organizationUuid }, actor) => setLogo(deps, { organizationId: organizationUuid, file: null, actor }),
    ...ofOrganization,
    sentence: 'Removed the logo',
  },
  'sender_domain.added': {
    act: addSender,
    ...ofOrganization,
    sentence: 'Added the sender gifts@acme.example',
  },
  'sender_domain.verified': {
    async prepare(deps, organization) {
      // Another organization of this test has verified the domain.
      await deps.database.home.query('delete from portal.sender_domains');
      return withSender(deps, organization);
    },
    act: (deps, organization, actor) =>
      checkDomain(withDns(deps, organization), { organizationId: organization.organizationUuid, actor }),
    ...ofOrganization,
    sentence: 'Verified the sender domain acme.example',
  },
  'sender_domain.removed': {
    prepare: withSender,
    act: (deps, organization, actor) =>
      removeDomain(withDns(deps, organization), { organizationId: organization.organizationUuid, actor }),
    ...ofOrganization,
    sentence: 'Removed the sender domain acme.example',
  },
} satisfies { [Name in Action]?: AuditedAct };
