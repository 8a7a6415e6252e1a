import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { listViews, removeView, renameView, saveView } from './change-views.ts';
import { GiftViewSearch, GiftViews, ViewName } from './schema.ts';

const PATH = '/organizations/{organization_id}/gift-views';

/** A member's saved views of the list of gifts. Of live and sandbox, because both have the same filters. */
export function viewRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listGiftViews',
      tag: 'Gifts',
      summary: 'The caller’s saved views of the list of gifts.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      response: GiftViews,
    },
    ({ member }) => listViews(deps, member),
  );

  register(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'saveGiftView',
      tag: 'Gifts',
      summary: 'Saves a view, over an earlier one with this name.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      body: Type.Object({ name: ViewName, search: GiftViewSearch }),
      response: GiftViews,
    },
    ({ member, body }) => saveView(deps, member, body),
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/rename`,
      operationId: 'renameGiftView',
      tag: 'Gifts',
      summary: 'Gives a saved view another name.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      body: Type.Object({ name: ViewName, new_name: ViewName }),
      response: GiftViews,
    },
    ({ member, body }) => renameView(deps, member, { name: body.name, newName: body.new_name }),
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/remove`,
      operationId: 'removeGiftView',
      tag: 'Gifts',
      summary: 'Removes a saved view.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      body: Type.Object({ name: ViewName }),
      response: GiftViews,
    },
    ({ member, body }) => removeView(deps, member, body.name),
  );
}
