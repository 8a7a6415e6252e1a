import { faultOfMarks } from 'bestow-readers/marks.ts';
import { listCategories } from '../../core/catalog/list-categories.ts';
import type { Deps } from '../../core/deps.ts';
import { lockOrganization } from '../../core/organizations/lock-organization.ts';
import { requireSeen } from '../../faces/portal-access/require-seen.ts';
import { refuseLostLetters } from '../../platform/api/lost-letters.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { alertOfTemplate, type Changer, requireMayChangeTemplate } from '../yearly-gifts/changer.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';
import type { GiftTemplate, GiftTemplateInput } from './schema.ts';

/** They are one list of choices. */
export const MOST_TEMPLATES = 100;

type TemplateDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

const presentTemplate = ({ template_id, amount_cents, category_id, ...row }: queries.TemplateRow): GiftTemplate => ({
  template_id: encodeId('tpl', template_id),
  amount: amount_cents,
  category: category_id,
  ...row,
});

export const listTemplates = async (
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<GiftTemplate[]> =>
  (await queries.selectTemplates(database.pool, [organizationId, environment])).map(presentTemplate);

const valuesOf = ({ name, amount, category, sender_name, message, language }: GiftTemplateInput, now: Date) =>
  [name, amount, category, sender_name, message, language, now] as const;

const nameTaken = () =>
  new BestowError('parameter_invalid', { param: 'name', message: 'Another template has this name.' });

interface Added {
  input: GiftTemplateInput;
  actor: Actor;
}

/** @throws BestowError `parameter_invalid`, also if there are too many templates or another one has the name */
export async function addTemplate(deps: TemplateDeps, scope: Scope, { input, actor }: Added): Promise<GiftTemplate> {
  await requireValid(deps, input);
  const { organizationId, environment } = scope;
  const owner = [organizationId, environment] as const;
  const templateId = deps.ids.next();
  return await inOrganization(deps.database, organizationId, async (client) => {
    await lockOrganization(client, organizationId);
    const values = valuesOf(input, new Date(deps.clock.now()));
    const [added] = await queries.insertTemplate(client, [...owner, templateId, ...values, MOST_TEMPLATES]);
    if (added === undefined) {
      const all = await queries.selectTemplates(client, [...owner]);
      if (all.some(({ name }) => name === input.name)) throw nameTaken();
      const message = `There are ${MOST_TEMPLATES} templates. Delete one, then add this one.`;
      throw new BestowError('parameter_invalid', { param: 'name', message });
    }
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: encodeId('tpl', templateId),
      action: 'gift_template.added',
      details: { name: input.name },
    });
    return presentTemplate(added);
  });
}

/**
 * Setting the same again changes nothing. Emails all admins if a rule sends its gifts by itself.
 *
 * @throws BestowError `parameter_invalid`, `resource_missing`; `resource_locked` if it was changed since the member saw it; as
 *   `requireMayChangeTemplate`
 */
export async function changeTemplate(
  deps: TemplateDeps,
  scope: Scope,
  {
    templateId,
    input,
    actor,
    changer,
    seenAt,
  }: Added & { templateId: string; changer: Changer; seenAt?: Date | undefined },
): Promise<GiftTemplate> {
  await requireValid(deps, input);
  const { organizationId, environment } = scope;
  const one = [organizationId, environment, templateId] as const;
  return await inOrganization(deps.database, organizationId, async (client) => {
    await lockOrganization(client, organizationId);
    await requireMayChangeTemplate(client, scope, changer, templateId);
    const [before] = await queries.selectTemplate(client, [...one]);
    if (before === undefined) throw new BestowError('resource_missing');
    requireSeen(seenAt, before.changed_at);
    const [changed] = await queries.updateTemplate(client, [...one, ...valuesOf(input, new Date(deps.clock.now()))]);
    if (changed === undefined) {
      const all = await queries.selectTemplates(client, [organizationId, environment]);
      if (all.some(({ name, template_id }) => name === input.name && template_id !== templateId)) throw nameTaken();
      return presentTemplate(before);
    }
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: encodeId('tpl', templateId),
      action: 'gift_template.changed',
      details: { name: input.name },
    });
    await alertOfTemplate(client, deps, scope, { templateId, actor });
    return presentTemplate(changed);
  });
}

/** @throws BestowError `resource_missing`; `refused` while a rule of yearly gifts needs it */
export async function removeTemplate(
  deps: TemplateDeps,
  { organizationId, environment }: Scope,
  { templateId, actor }: { templateId: string; actor: Actor },
): Promise<void> {
  await inOrganization(deps.database, organizationId, async (client) => {
    const one = [organizationId, environment, templateId] as const;
    // Rules are saved under this lock.
    await lockOrganization(client, organizationId);
    const [rule] = await queries.selectRuleWith(client, [...one]);
    if (rule !== undefined)
      throw new BestowError('refused', {
        message: `The rule “${rule.name}” of yearly gifts is made with this template. Change or delete the rule first.`,
      });
    const [removed] = await queries.deleteTemplate(client, [...one]);
    if (removed === undefined) throw new BestowError('resource_missing');
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: encodeId('tpl', templateId),
      action: 'gift_template.removed',
      details: { name: removed.name },
    });
  });
}

/** @throws BestowError `parameter_invalid` */
async function requireValid(deps: Pick<Deps, 'database'>, input: GiftTemplateInput): Promise<void> {
  refuseLostLetters(input);
  const message = faultOfMarks(input.message ?? '');
  if (message !== undefined) throw new BestowError('parameter_invalid', { param: 'message', message });
  const categories = await listCategories(deps);
  if (!categories.some((one) => one.category_id === input.category && one.retired_at === null))
    throw new BestowError('parameter_invalid', { param: 'category', message: 'Choose a category of the catalog.' });
}
