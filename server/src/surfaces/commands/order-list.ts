import type { Command } from 'commander';
import { maskGiftAddress } from '../../core/gifts/gift/address.ts';
import { findOrderOwner } from '../../core/orders/find-order-owner.ts';
import { searchOrders } from '../../core/orders/search-orders.ts';
import { showOrder } from '../../core/orders/show-order.ts';
import {
  addCommand,
  environmentOption,
  limitOption,
  organizationOption,
} from '../../faces/command-line/add-command.ts';
import { listOfOrganization } from '../../faces/command-line/list-of-organization.ts';
import { type OutputOptions, printMany, printOne } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';

type ListOptions = OutputOptions & { org?: string; environment: Environment; query?: string; limit: number };

/** `order list` and `order show`. */
export function orderListCommands(group: Command): void {
  listCommand(group);
  showCommand(group);
}

function listCommand(group: Command): void {
  addCommand(
    group,
    'list',
    'list an organization’s orders, newest first',
    'order list --org org_01h455vb4pex5vsknk084sn02q --environment live',
  )
    .addOption(organizationOption())
    .addOption(environmentOption())
    .option('--query <text>', 'a whole idempotency key, or part of an external id or of metadata')
    .addOption(limitOption())
    .action(async ({ query, ...options }: ListOptions) => {
      const { rows, currency } = await listOfOrganization(options, (deps, scope, page) =>
        searchOrders(deps, scope, { ...page, query }),
      );
      printMany(options, rows, (order) => ({
        order: order.order_id,
        status: order.status,
        gifts: order.gift_count,
        amount: showMoney(order.amount, currency),
        'idempotency key': order.idempotency_key,
        created: order.created_at,
      }));
    });
}

function showCommand(group: Command): void {
  addCommand(group, 'show', 'show an order and its gifts', 'order show ord_01h455vb4pex5vsknk084sn02q')
    .argument('<order>', 'the order (ord_…)')
    .action(async (id: string, options: OutputOptions) => {
      const { currency, ...order } = await withDatabase(async (deps) => {
        const { scope, orderId } = await findOrderOwner(deps, id);
        const { gifts, ...shown } = await showOrder(deps, scope, orderId);
        return {
          organization_id: encodeId('org', scope.organizationId),
          environment: scope.environment,
          ...shown,
          gifts: gifts.map(({ recipient_name: _, ...gift }) => ({
            ...gift,
            address: maskGiftAddress(gift.address),
          })),
          currency: deps.config.currency,
        };
      });
      printOne(options, order, () => ({
        order: order.order_id,
        organization: order.organization_id,
        environment: order.environment,
        status: order.status,
        amount: showMoney(order.amount, currency),
        'idempotency key': order.idempotency_key,
        by: order.key === null ? order.member.email : `${order.key.name} (${order.key.key_id})`,
        created: order.created_at,
        'gifts to come': order.pending_gift_count,
      }));
      if (options.json) return;
      process.stdout.write('\n');
      printMany(options, order.gifts, (gift) => ({
        gift: gift.gift_id,
        state: gift.state,
        amount: showMoney(gift.amount, currency),
        category: gift.category.id,
        address: gift.address,
      }));
    });
}
