import { Type } from 'typebox';
import { requireId } from '../api/require-id.ts';
import { recordExport } from '../audit/record-export.ts';
import { admitted } from '../authentication/caller.ts';
import { listCategories } from '../catalog/list-categories.ts';
import type { Deps } from '../deps.ts';
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
import { revealGiftLink } from '../gifts/reveal-gift-link.ts';
import { scheduleGift } from '../gifts/schedule-gift.ts';
import { ScheduleInput } from '../gifts/schema.ts';
import { searchGifts, totalGifts } from '../gifts/search-gifts.ts';
import { replaceLink, resendGift } from '../gifts/send-again.ts';
import { showGiftHistory } from '../gifts/show-gift-history.ts';
import { simulateGift } from '../gifts/simulate-gift.ts';
import { csvReply } from '../http/csv-reply.ts';
import { reopenCard } from '../redemption/reopen-card.ts';
import { ListTotal, pageAnswer, pageOf, pageQuery, periodQuery, readPage, readPeriod } from './list-schema.ts';
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
      summary:
        'The link of a link gift, renewed if expired, or of any sent gift of the sandbox. Its holder can claim the gift.',
      access: 'admin',
      needsFreshSignIn: true,
      response: GiftLink,
    },
    ({ params, scope, member }) =>
      revealGiftLink(deps, scope, { giftId: requireId('gift', params.gift_id), actor: member.actor }),
  );

  addActRoutes(register, deps);
  addSendAgainRoutes(register, deps);
  addScheduleRoute(register, deps);
  addCardRoute(register, deps);
}

function addSendAgainRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/link`,
      operationId: 'replaceGiftLink',
      tag: 'Gifts',
      summary: 'Ends all links of an unclaimed gift. Email and phone gifts are sent again.',
      access: 'admin',
      needsFreshSignIn: true,
      response: GiftHistory,
    },
    async ({ params, scope, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await replaceLink(deps, admitted(scope), { giftId, actor: member.actor });
      return showGiftHistory(deps, scope, giftId);
    },
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/resend`,
      operationId: 'resendGift',
      tag: 'Gifts',
      summary: 'Sends an unclaimed email or phone gift again to its address. Earlier links stay valid.',
      access: 'admin',
      needsFreshSignIn: true,
      response: GiftHistory,
    },
    async ({ params, scope, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await resendGift(deps, admitted(scope), { giftId, actor: member.actor });
      return showGiftHistory(deps, scope, giftId);
    },
  );
}

function addCardRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/card/reopen`,
      operationId: 'reopenCard',
      tag: 'Gifts',
      summary: 'Lets another browser take the card of a claimed gift over, once within a day.',
      access: 'admin',
      needsFreshSignIn: true,
      response: Type.Object({ until: Type.String({ format: 'date-time' }) }),
    },
    async ({ params, scope, member }) => {
      const giftId = requireId('gift', params.gift_id);
      return { until: (await reopenCard(deps, { scope, giftId, actor: member.actor })).toISOString() };
    },
  );
}

function addScheduleRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{gift_id}/schedule`,
      operationId: 'scheduleGift',
      tag: 'Gifts',
      summary: 'Changes when a gift is sent that waits for its time; without a time, sends it now.',
      access: 'admin',
      needsFreshSignIn: true,
      body: Type.Object({ send_at: Type.Optional(ScheduleInput.properties.send_at) }),
      response: GiftHistory,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await scheduleGift(deps, admitted(scope), { giftId, sendAt: body.send_at, actor: member.actor });
      return showGiftHistory(deps, scope, giftId);
    },
  );
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
      needsFreshSignIn: true,
      body: NewAddress,
      response: GiftHistory,
    },
    async ({ params, scope, body, member }) => {
      const giftId = requireId('gift', params.gift_id);
      await redirectGift(deps, admitted(scope), { giftId, body, actor: member.actor });
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
      const scope = { organizationId, environment: 'sandbox' } as const;
      await simulateGift(deps, { caller: admitted(scope), giftId, simulation: body.simulation, actor });
      return showGiftHistory(deps, scope, giftId);
    },
  );
}

function registerLists(register: Register, deps: Deps): void {
  addTotalRoute(register, deps);

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
      needsFreshSignIn: true,
      query: Type.Object(giftFilters),
      file: 'text/csv',
    },
    async ({ scope, query, reply, member }) => {
      const rows = exportGifts(deps, scope, { ...query, ...readPeriod(query) });
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

function addTotalRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/total`,
      operationId: 'totalGifts',
      tag: 'Gifts',
      summary: 'How many gifts match, and their sum, among the newest 2,000.',
      access: 'member',
      query: Type.Object(giftFilters),
      response: ListTotal,
    },
    ({ scope, query }) => totalGifts(deps, scope, { ...query, ...readPeriod(query) }),
  );
}
