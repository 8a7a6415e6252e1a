import { removeContact, saveContact } from '../../src/capabilities/contacts/change-contact.ts';
import { exportContacts } from '../../src/capabilities/contacts/export-contacts.ts';
import { importContacts } from '../../src/capabilities/contacts/import-contacts.ts';
import { admitted } from '../../src/platform/authentication/caller.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId, encodeId } from '../../src/platform/base/ids.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { MAY_ALL } from './changer.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

const scopeOf = ({ organizationUuid: organizationId }: TestOrganization) =>
  ({ organizationId, environment: 'sandbox' }) as const;

const delivery = { method: 'email', email: 'ada@example.com' } as const;

async function save(deps: AllDeps, organization: TestOrganization, actor: Actor, name?: string): Promise<string> {
  const input = { delivery, ...(name !== undefined && { name }) };
  const { contact } = await saveContact(deps, { caller: admitted(scopeOf(organization)), actor, input });
  return encodeId('con', contact.contact_id);
}

const add = (deps: AllDeps, organization: TestOrganization) => save(deps, organization, OPERATOR, 'Ada');

/** Contacts. */
export const auditedContactActs: Record<
  'contact.added' | 'contact.changed' | 'contact.removed' | 'contacts.imported' | 'contacts.exported',
  AuditedAct
> = {
  'contact.added': {
    act: (deps, organization, actor) => save(deps, organization, actor),
    target: 'con_',
    environment: 'sandbox',
    sentence: 'Added a contact',
  },
  'contact.changed': {
    prepare: add,
    act: (deps, organization, actor) => save(deps, organization, actor, 'Grace'),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Changed a contact',
  },
  'contact.removed': {
    prepare: add,
    act: (deps, organization, actor, id) =>
      removeContact(deps, { caller: admitted(scopeOf(organization)), actor, contactId: decodeId('con', id) ?? '' }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Deleted a contact',
  },
  'contacts.imported': {
    act: (deps, organization, actor) =>
      importContacts(deps, scopeOf(organization), {
        rows: [{ delivery: { method: 'phone', phone: '+12025550142' } }],
        actor,
        changer: MAY_ALL,
        unsentGifts: 'follow',
      }),
    target: null,
    environment: 'sandbox',
    sentence: 'Imported contacts: 1 added and 0 changed',
  },
  'contacts.exported': {
    act: (deps, organization, actor) => exportContacts(deps, scopeOf(organization), { filters: {}, actor }),
    target: null,
    environment: 'sandbox',
    sentence: 'Exported contacts with their addresses',
    isRepeatable: true,
  },
};
