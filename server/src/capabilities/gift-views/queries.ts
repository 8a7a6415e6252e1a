import { statement } from '../../platform/database/statement.ts';
import type { GiftViewSearch } from './schema.ts';

type OfMember = [organizationId: string, memberId: string];

interface ViewRow {
  name: string;
  search: GiftViewSearch;
}

export const selectViews = statement<OfMember, ViewRow>(
  'gift_views.list',
  `select name, search from gift_views where organization_id = $1 and member_id = $2 order by created_at, name`,
);

/** Saves a view, also over an earlier one with this name. Returns no row if the member has too many. */
export const upsertView = statement<
  [...OfMember, name: string, search: GiftViewSearch, now: Date, mostViews: number],
  { name: string }
>(
  'gift_views.save',
  `insert into gift_views (organization_id, member_id, name, search, created_at)
   select $1, $2, $3, $4::jsonb, $5
   where (select count(*) from gift_views where organization_id = $1 and member_id = $2 and name <> $3) < $6
   on conflict (organization_id, member_id, name) do update set search = excluded.search
   returning name`,
);

/** Returns no row if the member has no such view, or has one with the new name. */
export const updateViewName = statement<[...OfMember, name: string, newName: string], { name: string }>(
  'gift_views.rename',
  `update gift_views v set name = $4
   where organization_id = $1 and member_id = $2 and name = $3
     and not exists (
       select from gift_views o where o.organization_id = $1 and o.member_id = v.member_id and o.name = $4)
   returning name`,
);

export const deleteView = statement<[...OfMember, name: string]>(
  'gift_views.delete',
  'delete from gift_views where organization_id = $1 and member_id = $2 and name = $3',
);

/** Deletes views that search for a part of an address. @param leastLength of a part that says whose it is */
export const deleteViewsFor = statement<[organizationId: string, address: string, leastLength: number]>(
  'gift_views.forget',
  `delete from gift_views
   where organization_id = $1 and length(search ->> 'query') >= $3 and strpos($2, lower(search ->> 'query')) > 0`,
);

export const deleteViewsOfMember = statement<OfMember>(
  'gift_views.delete_of_member',
  'delete from gift_views where organization_id = $1 and member_id = $2',
);
