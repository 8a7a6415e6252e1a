import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { readSeen, SeenQuery } from '../../faces/portal-access/require-seen.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { changerOf } from '../yearly-gifts/changer.ts';
import { addTemplate, changeTemplate, listTemplates, MOST_TEMPLATES, removeTemplate } from './change-templates.ts';
import { GiftTemplate, GiftTemplateInput, GiftTemplates } from './schema.ts';

const PATH = '/organizations/{organization_id}/{environment}/gift-templates';

/** @throws BestowError `not_found` */
function requireTemplate(id: string): string {
  const templateId = decodeId('tpl', id);
  if (templateId === undefined) throw new BestowError('not_found');
  return templateId;
}

/** Templates of gifts (docs/send-many.md#templates). */
export function templateRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listGiftTemplates',
      tag: 'Gifts',
      summary: 'The templates of gifts in an environment.',
      access: 'member',
      needs: ['order', 'request'],
      response: GiftTemplates,
    },
    async ({ scope }) => ({ data: await listTemplates(deps, scope), most: MOST_TEMPLATES }),
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'addGiftTemplate',
      tag: 'Gifts',
      summary: 'Adds a template.',
      access: 'member',
      needs: 'settings',
      body: GiftTemplateInput,
      response: GiftTemplate,
    },
    ({ scope, body, member: { actor } }) => addTemplate(deps, scope, { input: body, actor }),
  );

  register(
    {
      method: 'PUT',
      path: `${PATH}/{template_id}`,
      operationId: 'changeGiftTemplate',
      tag: 'Gifts',
      summary: 'Changes a template, and with it the yearly gifts that are made from it.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      query: Type.Object(SeenQuery),
      body: GiftTemplateInput,
      response: GiftTemplate,
    },
    ({ scope, params, query, body, member, session }) =>
      changeTemplate(deps, scope, {
        templateId: requireTemplate(params.template_id),
        input: body,
        actor: member.actor,
        changer: changerOf(deps, member, session),
        seenAt: readSeen(query),
      }),
  );

  register(
    {
      method: 'DELETE',
      path: `${PATH}/{template_id}`,
      operationId: 'removeGiftTemplate',
      tag: 'Gifts',
      summary: 'Deletes a template; gifts that were made from it stay.',
      access: 'member',
      needs: 'settings',
    },
    ({ scope, params, member: { actor } }) =>
      removeTemplate(deps, scope, { templateId: requireTemplate(params.template_id), actor }),
  );
}
