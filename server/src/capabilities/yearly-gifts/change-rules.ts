import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { alertAdmins } from '../../core/organizations/alert-admins.ts';
import { lockOrganization } from '../../core/organizations/lock-organization.ts';
import { requireSeen } from '../../faces/portal-access/require-seen.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { lackOfRole } from '../../platform/authentication/permissions.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import type { Changer } from './changer.ts';
import { isTimeZone, yearIn } from './days.ts';
import { endUnsentOfRule } from './end-unsent.ts';
import * as queries from './queries.ts';
import type { Mode, YearlyRule, YearlyRuleInput } from './schema.ts';
import { requireRule } from './show-rules.ts';

/** Each minute and each calendar looks at all of them. */
export const MOST_RULES = 20;

type RuleDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>;

interface Change {
  input: YearlyRuleInput;
  actor: Extract<Actor, { kind: 'member' }>;
  changer: Changer;
  /** Leaves what was asked for or ordered, and is not sent, when the rule is paused, changed or deleted. */
  keepsUnsent?: boolean | undefined;
  /** Changes only what the member saw: the rule as it was changed then. */
  seenAt?: Date | undefined;
}

/**
 * Adds a rule. A day that is past when it is added has no gift this year.
 *
 * @throws BestowError `parameter_invalid`, also if there are too many rules or another one has the name; `admin_required` if
 *   the rule sends by itself and the member may not send gifts
 */
export const addRule = (deps: RuleDeps, scope: Scope, { input, actor, changer }: Change): Promise<YearlyRule> =>
  inOrganization(deps.database, scope.organizationId, async (client) => {
    const { organizationId, environment } = scope;
    await lockOrganization(client, organizationId);
    const values = await readRule(client, scope, { input, actor, changer });
    const one: queries.OneRule = [organizationId, environment, deps.ids.next()];
    const nowMs = deps.clock.now();
    const year = yearIn(input.time_zone, nowMs);
    const added = await queries.insertRule(client, [...one, ...values, year, new Date(nowMs), MOST_RULES]);
    if (added.length === 0) {
      const rules = await queries.selectRules(client, [organizationId, environment, null]);
      if (rules.some(({ name }) => name === input.name)) throw nameTaken();
      const message = `There are ${MOST_RULES} rules. Delete one, then add this one.`;
      throw new BestowError('parameter_invalid', { param: 'name', message });
    }
    await record(client, deps, one, actor, 'yearly_rule.added', input);
    await alert(client, deps, organizationId, { name: input.name, modes: [input.mode], actor });
    return requireRule(deps, client, one);
  });

/**
 * Changes a rule; its gifts are sent in the name of the admin who changed it last. What has not come yet is planned again.
 * Days that passed while it was paused have no gift this year. What is not sent is canceled if the rule is paused, or sends to
 * that person no more, and comes again if the rule goes on before its day.
 *
 * @throws BestowError `parameter_invalid`, also for another day; `resource_missing`; `admin_required` as `addRule`;
 *   `resource_locked` while one of its requests is being approved, or if it was changed since the member saw it
 */
export const changeRule = (
  deps: RuleDeps,
  scope: Scope,
  { ruleId, input, actor, changer, keepsUnsent = false, seenAt }: Change & { ruleId: string },
): Promise<YearlyRule> =>
  inOrganization(deps.database, scope.organizationId, async (client) => {
    const one: queries.OneRule = [scope.organizationId, scope.environment, ruleId];
    await lockOrganization(client, scope.organizationId);
    const [before] = await queries.lockRule(client, one);
    if (before === undefined) throw new BestowError('resource_missing');
    requireSeen(seenAt, before.changed_at);
    // What it sent would become a gift of the other day.
    if (input.occasion !== before.occasion)
      throw new BestowError('parameter_invalid', {
        param: 'occasion',
        message: 'The day of a rule stays. Add a rule for the other day, and pause this one.',
      });
    const values = await readRule(client, scope, { input, actor, changer });
    const now = new Date(deps.clock.now());
    const plannedAt = before.is_paused ? now : null;
    const changed = await queries.updateRule(client, [...one, ...values, now, plannedAt]);
    if (changed.length === 0) throw nameTaken();
    if (before.is_paused) await queries.missPaused(client, [...one, now]);
    await queries.deleteComing(client, [...one, now]);
    const change = input.is_paused && !before.is_paused ? 'paused' : 'changed';
    const by = { caller: admitted(scope), actor, changer };
    await endUnsentOfRule(client, deps, by, { ruleId, change, isKept: keepsUnsent });
    await record(client, deps, one, actor, 'yearly_rule.changed', input);
    await alert(client, deps, scope.organizationId, { name: input.name, modes: [before.mode, input.mode], actor });
    return requireRule(deps, client, one);
  });

/**
 * Deletes a rule with its calendar. What is not sent is canceled.
 *
 * @throws BestowError `resource_missing`; `resource_locked` while one of its requests is being approved
 */
export const removeRule = (
  deps: RuleDeps,
  scope: Scope,
  { ruleId, actor, changer, keepsUnsent = false }: Omit<Change, 'input' | 'actor'> & { ruleId: string; actor: Actor },
): Promise<void> =>
  inOrganization(deps.database, scope.organizationId, async (client) => {
    const { organizationId, environment } = scope;
    const one: queries.OneRule = [organizationId, environment, ruleId];
    const [locked] = await queries.lockRule(client, one);
    if (locked === undefined) throw new BestowError('resource_missing');
    const by = { caller: admitted(scope), actor, changer };
    await endUnsentOfRule(client, deps, by, { ruleId, change: 'removed', isKept: keepsUnsent });
    await queries.deleteRule(client, one);
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: encodeId('rule', ruleId),
      action: 'yearly_rule.removed',
      details: { name: locked.name },
    });
    await alert(client, deps, organizationId, { name: locked.name, modes: [locked.mode], actor });
  });

async function record(
  client: PoolClient,
  deps: RuleDeps,
  [organizationId, environment, ruleId]: queries.OneRule,
  actor: Actor,
  action: 'yearly_rule.added' | 'yearly_rule.changed',
  { name, mode, yearly_limit, is_paused }: YearlyRuleInput,
): Promise<void> {
  await recordEvent(client, deps, actor, {
    organizationId,
    environment,
    target: encodeId('rule', ruleId),
    action,
    details: { name, mode, limit_cents: mode === 'sends' ? yearly_limit : null, is_paused },
  });
}

/** Emails all admins about a rule that sends by itself, or did. */
async function alert(
  client: PoolClient,
  deps: RuleDeps,
  organizationId: string,
  { name, modes, actor }: { name: string; modes: readonly Mode[]; actor: Actor },
): Promise<void> {
  if (!modes.includes('sends')) return;
  const organization = { organization_id: organizationId };
  await alertAdmins(client, deps, { organization, change: 'yearly_rule_changed', about: name, actor });
}

const nameTaken = () => new BestowError('parameter_invalid', { param: 'name', message: 'Another rule has this name.' });

/** Returns the columns of a rule. @throws BestowError `parameter_invalid`, `admin_required` */
async function readRule(client: PoolClient, { organizationId, environment }: Scope, { input, actor, changer }: Change) {
  const refuse = (param: string, message: string) => new BestowError('parameter_invalid', { param, message });
  // To stop it needs no more.
  if (input.mode === 'sends' && !input.is_paused && !changer.maySend)
    throw new BestowError('admin_required', { message: `This rule would send by itself. ${lackOfRole(['order'])}` });
  if (!isTimeZone(input.time_zone)) throw refuse('time_zone', 'Choose a time zone such as Europe/Berlin.');
  if (input.mode === 'sends' && input.yearly_limit === null)
    throw refuse('yearly_limit', 'A rule that sends by itself needs the most that it may spend in a year.');
  const templateId = decodeId('tpl', input.template_id);
  const [template] =
    templateId === undefined
      ? []
      : await queries.selectTemplateExists(client, [organizationId, environment, templateId]);
  if (template === undefined) throw refuse('template_id', 'Choose a template of this environment.');
  return [
    input.name,
    input.tag,
    input.occasion,
    template.template_id,
    input.time_zone,
    input.hour,
    input.mode,
    input.mode === 'sends' ? input.yearly_limit : null,
    input.is_paused,
    actor.memberId,
  ] as const;
}
