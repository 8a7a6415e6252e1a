import { Type } from 'typebox';
import { requireId } from '../api/require-id.ts';
import { listCategories } from '../catalog/list-categories.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { exportGifts, giftExportColumns } from '../gifts/export-gifts.ts';
import {
  CategoryChoices,
  GiftHistory,
  GiftLink,
  GiftMethod,
  GiftSimulation,
  GiftStatus,
  GiftSummary,
  NewAddress,
} from '../gifts/portal-schema.ts';
import { redirectGift } from '../gifts/redirect-gift.ts';
import { searchGifts } from '../gifts/search-gifts.ts';
import { showGiftHistory } from '../gifts/show-gift-history.ts';
import { showGiftLink } from '../gifts/show-gift-link.ts';
import { simulateGift } from '../gifts/simulate-gift.ts';
import { csvReply } from './csv-reply.ts';
import { pageAnswer, pageOf, pageQuery, periodQuery, readPage, readPeriod } from './list-schema.ts';
import type { Register } from './register.ts';

const PATH = '/organizations/{organization_id}/{environment}/gifts';

const giftFilters = {
  query: Type.Optional(
    Type.String({ description: 'An id, the start of an address, digits of a number, or part of a name.' }),
  ),
  status: Type.Optional(GiftStatus),
  method: Type.Optional(GiftMethod),
  category: Type.Optional(Type.String({ description: 'A category’s id.' })),
  ...periodQuery,
};

/** Gifts: search, history, redirects and simulations. Messages are in `message-routes.ts`. */
export function giftRoutes(register: Register, deps: Deps): void {
  registerLists(register, deps);

  register(
    {
      method: 'GET',
      path: `${PATH}/{gift_id}`,
      operationId: 'showGift',
      tag: 'Gifts',
      summary: 'A gift with its history.',
      access: 'member',
      response: GiftHistory,
    },
    ({ params, scope }) => showGiftHistory(deps, scope, requireId('gift', params.gift_id)),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/{gift_id}/link`,
      operationId: 'showGiftLink',
      tag: 'Gifts',
      summary: 'The link of a link gift; an expired link is renewed. The link’s holder can claim the gift.',
      access: 'admin',
      response: GiftLink,
    },
    async ({ params, scope }) => {
      const link = await showGiftLink(deps, scope, requireId('gift', params.gift_id));
      if (link === null) throw new BestowError('not_found');
      return link;
    },
  );

  addActRoutes(register, deps);
}

function addActRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: `${PATH}/{gift_id}/delivery`,
      operationId: 'redirectGift',
      tag: 'Gifts',
      summary: 'Sends a gift whose delivery failed to another address.',
      access: 'admin',
      body: NewAddress,
      response: GiftHistory,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await redirectGift(deps, scope, { giftId, body, actor: member.actor });
      return showGiftHistory(deps, scope, giftId);
    },
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/sandbox/gifts/{gift_id}/simulate',
      operationId: 'simulateGift',
      tag: 'Gifts',
      summary: 'Simulates an event of a sandbox gift.',
      access: 'admin',
      body: Type.Object({ simulation: GiftSimulation }),
      response: GiftHistory,
    },
    async ({ params, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      const { organizationId, actor } = member;
      await simulateGift(deps, { organizationId, giftId, simulation: body.simulation, actor });
      return showGiftHistory(deps, { organizationId, environment: 'sandbox' }, giftId);
    },
  );
}

function registerLists(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listGifts',
      tag: 'Gifts',
      summary: 'The matching gifts, newest first.',
      access: 'member',
      query: Type.Object({ ...giftFilters, ...pageQuery }),
      response: pageOf(GiftSummary),
    },
    async ({ scope, query }) =>
      pageAnswer(await searchGifts(deps, scope, { ...query, ...readPeriod(query), ...readPage(query) })),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}.csv`,
      operationId: 'exportGifts',
      tag: 'Gifts',
      summary: 'All matching gifts as a file.',
      access: 'member',
      query: Type.Object(giftFilters),
      file: 'text/csv',
    },
    ({ scope, query, reply }) => {
      const gifts = exportGifts(deps, scope, { ...query, ...readPeriod(query) });
      return csvReply(reply, deps.log, `gifts-${scope.environment}`, {
        columns: giftExportColumns,
        rows: gifts,
        currency: deps.config.currency,
      });
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
