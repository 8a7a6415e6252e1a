import { Type } from 'typebox';
import { Cents, nullable, Time } from '../api/schema.ts';
import { Outlook } from '../balances/portal-schema.ts';
import { showOutlook } from '../balances/show-outlook.ts';
import { summarizeDays } from '../balances/summarize-days.ts';
import { listCategories } from '../catalog/list-categories.ts';
import type { Deps } from '../deps.ts';
import { listAttention } from '../gifts/list-attention.ts';
import { GiftSummary } from '../gifts/portal-schema.ts';
import { summarizeDeliveries } from '../gifts/summarize-deliveries.ts';
import { listKeys } from '../keys/list-keys.ts';
import { searchOrders } from '../orders/search-orders.ts';
import type { Register } from './register.ts';

const Count = Type.Integer();
const counts = {
  pending: Count,
  delivered: Count,
  failed: Count,
  handed_out: Count,
  opened: Count,
  claimed: Count,
};

const Overview = Type.Object(
  {
    outlook: Outlook,
    days: Type.Array(Type.Object({ day: Time, orders: Count, amount: Cents }), {
      description: 'The last 30 UTC days including today, earliest first.',
    }),
    deliveries: Type.Object({
      days: Type.Array(Type.Object({ day: Time, ...counts }), {
        description: 'By day of purchase.',
      }),
      total: Type.Object(counts),
      counted_since: nullable(Time),
    }),
    attention: Type.Object({
      count: Type.Integer({ description: 'At most 100.' }),
      has_more: Type.Boolean(),
      newest: Type.Array(GiftSummary, { description: 'At most five.' }),
    }),
    first_steps: Type.Object({
      has_key: Type.Boolean({ description: 'Whether this environment has an active key.' }),
      has_order: Type.Boolean(),
      example_category: Type.String({ description: 'An active category, for the first order.' }),
    }),
  },
  { $id: 'Overview' },
);

/** The portal's start page. */
export function overviewRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/organizations/{organization_id}/{environment}/overview',
      operationId: 'showOverview',
      tag: 'Overview',
      summary: 'The balance and how long it lasts, 30 days of orders and deliveries, and what needs attention.',
      access: 'member',
      response: Overview,
    },
    async ({ params, scope }) => {
      const [days, deliveries, attention, keys, orders, categories] = await Promise.all([
        summarizeDays(deps, scope),
        summarizeDeliveries(deps, scope),
        listAttention(deps, scope),
        listKeys(deps, params.organization_id),
        searchOrders(deps, scope, { limit: 1 }),
        listCategories(deps),
      ]);
      const isUsable = (key: (typeof keys)[number]) => key.environment === scope.environment && key.revoked_at === null;
      return {
        // Afterwards, because it sums the same days.
        outlook: await showOutlook(deps, scope),
        days,
        deliveries,
        attention,
        first_steps: {
          has_key: keys.some(isUsable),
          has_order: orders.rows.length > 0,
          example_category: categories.find(({ retired_at }) => retired_at === null)?.category_id ?? 'coffee',
        },
      };
    },
  );
}
