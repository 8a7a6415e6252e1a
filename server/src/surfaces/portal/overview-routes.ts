import { Type } from 'typebox';
import { Outlook } from '../../core/balances/portal-schema.ts';
import { showOutlook } from '../../core/balances/show-outlook.ts';
import { comparePeriods } from '../../core/balances/summarize-days.ts';
import { listCategories } from '../../core/catalog/list-categories.ts';
import type { Deps } from '../../core/deps.ts';
import { listAttention } from '../../core/gifts/find/list-attention.ts';
import { summarizeDeliveries } from '../../core/gifts/find/summarize-deliveries.ts';
import { GiftSummary } from '../../core/gifts/gift/portal-schema.ts';
import { listIssuers } from '../../core/issuer/choose-issuer.ts';
import { listKeys } from '../../core/keys/list-keys.ts';
import { searchOrders } from '../../core/orders/search-orders.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';

const Count = Type.Integer();
const counts = {
  pending: Count,
  delivered: Count,
  failed: Count,
  handed_out: Count,
  scheduled: Count,
  opened: Count,
  claimed: Count,
  canceled: Count,
};

const Overview = Type.Object(
  {
    outlook: Outlook,
    days: Type.Array(Type.Object({ day: Time, orders: Count, amount: Cents }), {
      description: 'The last UTC days including today, earliest first.',
    }),
    before: Type.Object({ orders: Count, amount: Cents }, { description: 'The orders of as many days before.' }),
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
    issuers: Type.Array(
      Type.Object({
        kind: Type.String(),
        category: nullable(Type.String({ description: 'Null: all categories without an own issuer.' })),
      }),
      {
        description: 'Who makes the cards. Without one for its category, a gift’s card is simulated and buys nothing.',
      },
    ),
  },
  { $id: 'Overview' },
);

/** Of a member who sees only what their team sent. */
const NO_ATTENTION = { count: 0, has_more: false, newest: [] };

/** The portal's start page. */
export function overviewRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/organizations/{organization_id}/{environment}/overview',
      operationId: 'showOverview',
      tag: 'Overview',
      summary:
        'The balance and how long it lasts, 7, 30 or 90 days of orders and deliveries, and what needs attention.',
      access: 'member',
      needs: 'money',
      query: Type.Object({ days: Type.Optional(oneOf('7', '30', '90')) }),
      response: Overview,
    },
    async ({ params, scope, member, query }) => {
      const count = Number(query.days ?? 30);
      const [{ days, before }, deliveries, attention, keys, orders, categories, issuers] = await Promise.all([
        comparePeriods(deps, scope, count),
        summarizeDeliveries(deps, scope, count),
        member.membership.reach === null ? listAttention(deps, scope) : NO_ATTENTION,
        listKeys(deps, params.organization_id),
        searchOrders(deps, scope, { limit: 1 }),
        listCategories(deps),
        scope.environment === 'live' ? listIssuers(deps, scope.organizationId) : [],
      ]);
      const isUsable = (key: (typeof keys)[number]) =>
        key.environment === scope.environment &&
        key.revoked_at === null &&
        (key.expires_at === null || key.expires_at.getTime() > deps.clock.now());
      return {
        // Afterwards, because it sums the same days.
        outlook: await showOutlook(deps, scope),
        days,
        before,
        deliveries,
        attention,
        first_steps: {
          has_key: keys.some(isUsable),
          has_order: orders.rows.length > 0,
          example_category: categories.find(({ retired_at }) => retired_at === null)?.category_id ?? 'coffee',
        },
        issuers: issuers
          .filter(({ removed_at }) => removed_at === null)
          .map(({ kind, category_id: category }) => ({ kind, category })),
      };
    },
  );
}
