import { Type } from 'typebox';
import { listCategories } from '../../core/catalog/list-categories.ts';
import type { Deps } from '../../core/deps.ts';
import { exportGifts, giftExportColumns } from '../../core/gifts/find/export-gifts.ts';
import { listResends } from '../../core/gifts/find/list-resends.ts';
import { recordExport } from '../../core/gifts/find/record-export.ts';
import { type FoundBy as SearchedBy, searchGifts, totalGifts } from '../../core/gifts/find/search-gifts.ts';
import type { SortName } from '../../core/gifts/find/sorted-queries.ts';
import { CategoryChoices, ExportedGift, GiftResend, GiftSummary } from '../../core/gifts/gift/portal-schema.ts';
import { GiftMethod, GiftStatus } from '../../core/gifts/gift/shown-state.ts';
import { type Member, seesPeople } from '../../faces/portal-access/access.ts';
import {
  ListTotal,
  pageAnswer,
  pageOf,
  pageQuery,
  periodQuery,
  readPage,
  readPeriod,
} from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { maskPeople } from '../../platform/api/mask-people.ts';
import { nullable, oneOf } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { csvReply } from '../../platform/http/csv-reply.ts';

const PATH = '/organizations/{organization_id}/{environment}/gifts';

const giftFilters = {
  query: Type.Optional(
    Type.String({
      description:
        'An id, an external id or a whole address, of any age; or the start of an address, digits of a number, or part of a name, external id or metadata.',
    }),
  ),
  within: Type.Optional(
    Type.Unsafe<'texts'>({
      ...oneOf('texts'),
      description: 'Looks inside the texts of the newest gifts, also if an index finds the query.',
    }),
  ),
  status: Type.Optional(GiftStatus),
  method: Type.Optional(GiftMethod),
  category: Type.Optional(Type.String({ description: 'A category’s id.' })),
  ...periodQuery,
};

const FoundBy = Type.Unsafe<NonNullable<SearchedBy>>({
  ...oneOf('id', 'address', 'external_id'),
  description:
    'What an index found all gifts by, of any age; null: the search looked inside the texts of the newest gifts.',
});

const sortQuery = {
  sort: Type.Optional(
    Type.Unsafe<SortName>({
      ...oneOf('largest', 'smallest', 'opened', 'claimed'),
      description: 'Of the newest 2,000 gifts that are looked at; the latest time first. A cursor goes with its sort.',
    }),
  ),
};

/** A search by parts of an address would tell what is masked. @throws BestowError `parameter_invalid` */
function withoutGuesses<Query extends { query?: string | undefined }>(member: Member, query: Query): Query {
  const text = query.query?.trim().toLowerCase() ?? '';
  if (text === '' || seesPeople(member) || (decodeId('gift', text) ?? decodeId('ord', text)) !== undefined)
    return query;
  throw new BestowError('parameter_invalid', {
    param: 'query',
    message:
      'Your role does not include recipients’ addresses, so it finds gifts by the id of a gift or an order only.',
  });
}

/** What the member searches for, within what they may see. @throws BestowError `parameter_invalid` */
const searchOf = <Query extends Parameters<typeof readPeriod>[0] & { query?: string | undefined }>(
  member: Member,
  query: Query,
) => ({
  ...withoutGuesses(member, query),
  ...readPeriod(query),
  senders: member.membership.reach,
});

async function* masked(gifts: AsyncIterable<ExportedGift>): AsyncGenerator<ExportedGift, void> {
  for await (const gift of gifts) yield maskPeople(ExportedGift, gift) as ExportedGift;
}

/** Gifts as lists: searches, their totals, exports and what can be sent again; and the categories of their filter. */
export function giftListRoutes(register: Register, deps: Deps): void {
  addTotalRoute(register, deps);
  addResendsRoute(register, deps);

  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listGifts',
      tag: 'Gifts',
      summary: 'The matching gifts, newest first.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object({ ...giftFilters, ...pageQuery, ...sortQuery }),
      response: Type.Object({ ...pageOf(GiftSummary).properties, found_by: nullable(FoundBy) }),
    },
    async ({ scope, query, member }) => {
      const page = await searchGifts(deps, scope, { ...searchOf(member, query), ...readPage(query) });
      return { ...pageAnswer(page), found_by: page.found_by };
    },
  );

  register(
    {
      method: 'GET',
      path: `${PATH}.csv`,
      operationId: 'exportGifts',
      tag: 'Gifts',
      summary: 'All matching gifts as a file.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      needsFreshSignIn: true,
      query: Type.Object(giftFilters),
      file: 'text/csv',
    },
    async ({ scope, query, reply, member }) => {
      const all = exportGifts(deps, scope, searchOf(member, query));
      const rows = seesPeople(member) ? all : masked(all);
      await recordExport(deps, scope, member.actor);
      const { currency } = deps.config;
      return csvReply(reply, deps.log, `gifts-${scope.environment}`, { columns: giftExportColumns, rows, currency });
    },
  );

  register(
    {
      method: 'GET',
      path: '/categories',
      operationId: 'listCategories',
      tag: 'Gifts',
      summary: 'All categories, including retired ones.',
      access: 'person',
      response: CategoryChoices,
    },
    async () => {
      const categories = await listCategories(deps);
      return {
        data: categories.map(({ category_id, name, retired_at }) => ({
          category_id,
          name,
          is_retired: retired_at !== null,
        })),
      };
    },
  );
}

function addResendsRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/resends`,
      operationId: 'listResends',
      tag: 'Gifts',
      summary: 'The matching gifts, newest first, and whether each can be sent again.',
      access: 'member',
      needs: 'manage',
      keepsToReach: true,
      query: Type.Object({ ...giftFilters, ...pageQuery }),
      response: pageOf(GiftResend),
    },
    async ({ scope, query, member }) =>
      pageAnswer(await listResends(deps, scope, { ...searchOf(member, query), ...readPage(query) })),
  );
}

function addTotalRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/total`,
      operationId: 'totalGifts',
      tag: 'Gifts',
      summary: 'How many gifts match, and their sum, among the newest 2,000.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object(giftFilters),
      response: ListTotal,
    },
    ({ scope, query, member }) => totalGifts(deps, scope, searchOf(member, query)),
  );
}
