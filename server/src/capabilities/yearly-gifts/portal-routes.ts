import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { requireFreshSignIn } from '../../faces/portal-access/access.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { readSeen, SeenQuery } from '../../faces/portal-access/require-seen.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { addRule, changeRule, MOST_RULES, removeRule } from './change-rules.ts';
import { changerOf } from './changer.ts';
import {
  Calendar,
  CalendarQuery,
  ChangedRuleQuery,
  SkipInput,
  UnsentQuery,
  YearlyGift,
  YearlyRule,
  YearlyRuleInput,
  YearlyRules,
} from './schema.ts';
import { showCalendar } from './show-calendar.ts';
import { showGiftsOfContact } from './show-gifts-of-contact.ts';
import { listRules, requireRule } from './show-rules.ts';
import { showUnsent, UnsentGifts } from './show-unsent.ts';
import { skipGift } from './skip-gift.ts';

const ENVIRONMENT = '/organizations/{organization_id}/{environment}';
const RULES = `${ENVIRONMENT}/yearly-rules`;
const GIFTS = `${ENVIRONMENT}/yearly-gifts`;
const tag = 'Yearly gifts';

/** @throws BestowError `not_found` */
function requireUuid(prefix: 'rule' | 'con', id: string): string {
  const uuid = decodeId(prefix, id);
  if (uuid === undefined) throw new BestowError('not_found');
  return uuid;
}

/** Yearly gifts to contacts (docs/contacts.md#yearly-gifts). */
export function yearlyGiftRoutes(register: Register, deps: Deps): void {
  addRuleRoutes(register, deps);
  addChangeRoutes(register, deps);
  register(
    {
      method: 'GET',
      path: GIFTS,
      operationId: 'showCalendar',
      tag,
      summary: 'The yearly gifts of a month: what was sent, and what comes.',
      access: 'member',
      needs: ['order', 'request'],
      query: CalendarQuery,
      response: Calendar,
    },
    ({ scope, query }) => showCalendar(deps, scope, query.month),
  );
  register(
    {
      method: 'GET',
      path: `${ENVIRONMENT}/contacts/{contact_id}/yearly-gifts`,
      operationId: 'listYearlyGiftsOfContact',
      tag,
      summary: 'The next yearly gifts of a contact.',
      access: 'member',
      needs: ['order', 'request'],
      response: Type.Object({ data: Type.Array(YearlyGift, { description: 'By their dates.' }) }),
    },
    async ({ scope, params }) => ({
      data: await showGiftsOfContact(deps, scope, requireUuid('con', params.contact_id)),
    }),
  );
  register(
    {
      method: 'PUT',
      path: `${GIFTS}/skips`,
      operationId: 'skipYearlyGift',
      tag,
      summary: 'Skips a person’s gift of one year, or lets it come again.',
      access: 'member',
      needs: 'order',
      body: SkipInput,
    },
    ({ scope, body, member, session }) => {
      if (!body.is_skipped) requireFreshSignIn(deps, session);
      const [ruleId, contactId] = [requireUuid('rule', body.rule_id), requireUuid('con', body.contact_id)];
      const gift = { ruleId, contactId, year: body.year };
      const mayChangeRules = member.membership.permissions.includes('settings');
      const changer = changerOf(deps, member, session);
      return skipGift(deps, scope, { gift, isSkipped: body.is_skipped, actor: member.actor, mayChangeRules, changer });
    },
  );
}

function addRuleRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: RULES,
      operationId: 'listYearlyRules',
      tag,
      summary: 'The rules of yearly gifts in an environment.',
      access: 'member',
      needs: ['order', 'request'],
      response: YearlyRules,
    },
    async ({ scope }) => ({ data: await listRules(deps, scope), most: MOST_RULES }),
  );
  register(
    {
      method: 'POST',
      path: RULES,
      operationId: 'addYearlyRule',
      tag,
      summary: 'Adds a rule.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: YearlyRuleInput,
      response: YearlyRule,
    },
    ({ scope, body, member, session }) =>
      addRule(deps, scope, { input: body, actor: member.actor, changer: changerOf(deps, member, session) }),
  );
}

function addChangeRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: `${RULES}/{rule_id}`,
      operationId: 'changeYearlyRule',
      tag,
      summary: 'Changes, pauses or resumes a rule.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      query: Type.Object({ ...UnsentQuery.properties, ...SeenQuery }),
      body: YearlyRuleInput,
      response: YearlyRule,
    },
    ({ scope, params, query, body, member, session }) =>
      changeRule(deps, scope, {
        ruleId: requireUuid('rule', params.rule_id),
        input: body,
        actor: member.actor,
        changer: changerOf(deps, member, session),
        keepsUnsent: query.unsent_gifts === 'keep',
        seenAt: readSeen(query),
      }),
  );
  register(
    {
      method: 'GET',
      path: `${RULES}/{rule_id}/unsent-gifts`,
      operationId: 'listUnsentGiftsOfRule',
      tag,
      summary: 'What the rule ordered or asked for, and is not sent; or what it would not send after a change.',
      access: 'member',
      needs: 'settings',
      query: ChangedRuleQuery,
      response: UnsentGifts,
    },
    async ({ scope, params, query, member, session }) => {
      const ruleId = requireUuid('rule', params.rule_id);
      await requireRule(deps, deps.database.pool, [scope.organizationId, scope.environment, ruleId]);
      const { next, tag = '' } = query;
      const whose = next === undefined ? { ruleId } : { ruleId, next: { tag: next === 'all' ? null : tag } };
      return showUnsent(deps, scope, whose, changerOf(deps, member, session));
    },
  );
  register(
    {
      method: 'DELETE',
      path: `${RULES}/{rule_id}`,
      operationId: 'removeYearlyRule',
      tag,
      summary: 'Deletes a rule. What it ordered or asked for and is not sent is canceled.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      query: UnsentQuery,
    },
    ({ scope, params, query, member, session }) =>
      removeRule(deps, scope, {
        ruleId: requireUuid('rule', params.rule_id),
        actor: member.actor,
        changer: changerOf(deps, member, session),
        keepsUnsent: query.unsent_gifts === 'keep',
      }),
  );
}
