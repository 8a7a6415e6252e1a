import { saveContact } from '../../src/capabilities/contacts/change-contact.ts';
import { addTemplate } from '../../src/capabilities/gift-templates/change-templates.ts';
import { addRule, changeRule, removeRule } from '../../src/capabilities/yearly-gifts/change-rules.ts';
import { listRules } from '../../src/capabilities/yearly-gifts/show-rules.ts';
import { skipGift } from '../../src/capabilities/yearly-gifts/skip-gift.ts';
import { admitted } from '../../src/platform/authentication/caller.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { MAY_ALL } from './changer.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

type MemberActor = Extract<Actor, { kind: 'member' }>;

const scopeOf = ({ organizationUuid: organizationId }: TestOrganization) =>
  ({ organizationId, environment: 'sandbox' }) as const;
const uuid = (prefix: 'rule' | 'con', id = '') => decodeId(prefix, id) ?? '';

const founder = ({ memberId }: TestOrganization): MemberActor => ({
  kind: 'member',
  memberId: decodeId('mem', memberId) ?? '',
  email: 'admin@example.com',
  address: '127.0.0.1',
});

async function templateOf(deps: AllDeps, organization: TestOrganization, name: string): Promise<string> {
  const template = { name: `For ${name}`, amount: 2500, category: 'coffee', sender_name: null, message: null };
  const added = await addTemplate(deps, scopeOf(organization), {
    input: { ...template, language: null },
    actor: OPERATOR,
  });
  return added.template_id;
}

const inputOf = (name: string, template_id: string) =>
  ({
    name,
    tag: null,
    occasion: 'birthday',
    template_id,
    time_zone: 'UTC',
    hour: 9,
    mode: 'sends',
    yearly_limit: 500_000,
    is_paused: false,
  }) as const;

async function add(deps: AllDeps, organization: TestOrganization, actor: MemberActor, name: string) {
  const input = inputOf(name, await templateOf(deps, organization, name));
  return (await addRule(deps, scopeOf(organization), { input, actor, changer: MAY_ALL })).rule_id;
}

/** A rule and a contact with a birthday next year: their ids. */
async function addGift(deps: AllDeps, organization: TestOrganization, name: string, isSkipped: boolean) {
  const scope = scopeOf(organization);
  const ruleId = await add(deps, organization, founder(organization), name);
  const delivery = { method: 'email', email: `${name.toLowerCase()}@example.com` } as const;
  const change = { caller: admitted(scope), actor: OPERATOR, input: { delivery, birthday: '02-03' } };
  const { contact } = await saveContact(deps, change);
  const prepared = `${ruleId} ${contact.contact_id}`;
  if (isSkipped) await skip(deps, organization, founder(organization), prepared, true);
  return prepared;
}

function skip(deps: AllDeps, organization: TestOrganization, actor: Actor, prepared: string, isSkipped: boolean) {
  const [ruleId, contactId = ''] = prepared.split(' ');
  const year = new Date(deps.clock.now()).getUTCFullYear() + 1;
  const gift = { ruleId: uuid('rule', ruleId), contactId, year };
  return skipGift(deps, scopeOf(organization), {
    gift,
    isSkipped,
    actor: actor as MemberActor,
    mayChangeRules: true,
    changer: MAY_ALL,
  });
}

/** Yearly gifts. Only a member saves a rule, because its orders are in their name. */
export const auditedYearlyActs: Record<
  'yearly_rule.added' | 'yearly_rule.changed' | 'yearly_rule.removed' | 'yearly_gift.skipped' | 'yearly_gift.unskipped',
  AuditedAct
> = {
  'yearly_rule.added': {
    prepare: (deps, organization) => templateOf(deps, organization, 'Birthdays'),
    act: (deps, organization, actor, template) =>
      addRule(deps, scopeOf(organization), {
        input: inputOf('Birthdays', template),
        actor: actor as MemberActor,
        changer: MAY_ALL,
      }),
    target: 'rule_',
    environment: 'sandbox',
    sentence: 'Added the rule “Birthdays” of yearly gifts (up to 5,000.00 USD a year)',
    only: 'member',
  },
  'yearly_rule.changed': {
    prepare: (deps, organization) => add(deps, organization, founder(organization), 'Before'),
    act: async (deps, organization, actor, id) => {
      const [rule] = await listRules(deps, scopeOf(organization));
      const before = inputOf('After', rule?.template_id ?? '');
      const input = { ...before, mode: 'approval', yearly_limit: null, is_paused: true } as const;
      const change = { ruleId: uuid('rule', id), input, actor: actor as MemberActor, changer: MAY_ALL };
      return await changeRule(deps, scopeOf(organization), change);
    },
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Changed the rule “After” of yearly gifts (paused, with approval)',
    only: 'member',
    isRepeatable: true,
  },
  'yearly_rule.removed': {
    prepare: (deps, organization) => add(deps, organization, founder(organization), 'Old'),
    act: (deps, organization, actor, id) =>
      removeRule(deps, scopeOf(organization), { ruleId: uuid('rule', id), actor, changer: MAY_ALL }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Deleted the rule “Old” of yearly gifts',
  },
  'yearly_gift.skipped': {
    prepare: (deps, organization) => addGift(deps, organization, 'Skipped', false),
    act: (deps, organization, actor, prepared) => skip(deps, organization, actor, prepared, true),
    target: 'rule_',
    environment: 'sandbox',
    sentence: 'Skipped a gift of the rule “Skipped” in 2027',
    only: 'member',
  },
  'yearly_gift.unskipped': {
    prepare: (deps, organization) => addGift(deps, organization, 'Again', true),
    act: (deps, organization, actor, prepared) => skip(deps, organization, actor, prepared, false),
    target: 'rule_',
    environment: 'sandbox',
    sentence: 'Let a skipped gift of the rule “Again” come again in 2027',
    only: 'member',
  },
};
