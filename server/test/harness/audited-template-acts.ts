import { addTemplate, changeTemplate, removeTemplate } from '../../src/capabilities/gift-templates/change-templates.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { MAY_ALL } from './changer.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

const scopeOf = ({ organizationUuid: organizationId }: TestOrganization) =>
  ({ organizationId, environment: 'sandbox' }) as const;
const uuid = (id: string) => decodeId('tpl', id) ?? '';

const named = (name: string) => ({
  name,
  amount: 2500,
  category: 'coffee',
  sender_name: null,
  message: null,
  language: null,
});

const add = async (deps: AllDeps, organization: TestOrganization, actor: Actor, name: string) =>
  (await addTemplate(deps, scopeOf(organization), { input: named(name), actor })).template_id;

/** Templates of gifts. */
export const auditedTemplateActs: Record<
  'gift_template.added' | 'gift_template.changed' | 'gift_template.removed',
  AuditedAct
> = {
  'gift_template.added': {
    act: (deps, organization, actor) => add(deps, organization, actor, 'Welcome'),
    target: 'tpl_',
    environment: 'sandbox',
    sentence: 'Added the gift template “Welcome”',
  },
  'gift_template.changed': {
    prepare: (deps, organization) => add(deps, organization, OPERATOR, 'Before'),
    act: (deps, organization, actor, id) =>
      changeTemplate(deps, scopeOf(organization), {
        templateId: uuid(id),
        input: named('After'),
        actor,
        changer: MAY_ALL,
      }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Changed the gift template “After”',
  },
  'gift_template.removed': {
    prepare: (deps, organization) => add(deps, organization, OPERATOR, 'Old'),
    act: (deps, organization, actor, id) =>
      removeTemplate(deps, scopeOf(organization), { templateId: uuid(id), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Deleted the gift template “Old”',
  },
};
