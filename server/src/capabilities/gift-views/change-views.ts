import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { isVisibleName } from '../../platform/base/visible-text.ts';
import * as queries from './queries.ts';
import type { GiftViewSearch } from './schema.ts';

/** They are one line above the list. */
const MOST_VIEWS = 20;

type ViewDeps = Pick<Deps, 'clock' | 'database'>;

/** A member's own views; no other member sees them. */
interface Owner {
  organizationId: string;
  memberId: string;
}

export const listViews = async ({ database }: Pick<Deps, 'database'>, { organizationId, memberId }: Owner) => ({
  data: await queries.selectViews(database.pool, [organizationId, memberId]),
});

/** Saves a view, over an earlier one with this name. @throws BestowError `parameter_invalid` if there are too many */
export async function saveView(
  deps: ViewDeps,
  { organizationId, memberId }: Owner,
  { name, search }: { name: string; search: GiftViewSearch },
) {
  const saved = await queries.upsertView(deps.database.pool, [
    organizationId,
    memberId,
    readName(name),
    search,
    new Date(deps.clock.now()),
    MOST_VIEWS,
  ]);
  if (saved.length === 0)
    throw new BestowError('parameter_invalid', {
      param: 'name',
      message: `You have ${MOST_VIEWS} views. Remove one, then save this one.`,
    });
  return await listViews(deps, { organizationId, memberId });
}

/** @throws BestowError `parameter_invalid` if another view has the new name, or none has the earlier one */
export async function renameView(
  deps: ViewDeps,
  { organizationId, memberId }: Owner,
  { name, newName }: { name: string; newName: string },
) {
  const renamed = await queries.updateViewName(deps.database.pool, [organizationId, memberId, name, readName(newName)]);
  const views = await listViews(deps, { organizationId, memberId });
  if (renamed.length === 0 && name !== readName(newName))
    throw new BestowError('parameter_invalid', {
      param: 'new_name',
      message: views.data.some((view) => view.name === name)
        ? 'You have another view with this name.'
        : 'This view is removed.',
    });
  return views;
}

/** Removing a view twice is no error. */
export async function removeView(deps: ViewDeps, owner: Owner, name: string) {
  await queries.deleteView(deps.database.pool, [owner.organizationId, owner.memberId, name]);
  return await listViews(deps, owner);
}

/** @throws BestowError `parameter_invalid` */
function readName(text: string): string {
  const name = text.trim();
  if (name === '') throw new BestowError('parameter_invalid', { param: 'name', message: 'A view needs a name.' });
  if (!isVisibleName(name))
    throw new BestowError('parameter_invalid', { param: 'name', message: 'name must have visible characters only.' });
  return name;
}
