import type { Command } from 'commander';
import { createLinks } from '../../core/links/links.ts';
import { cancelOrder } from '../../core/orders/cancel-order.ts';
import { findOrderOwner } from '../../core/orders/find-order-owner.ts';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseReason } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printOne } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { orderListCommands } from './order-list.ts';

const ORDER = 'ord_01h455vb4pex5vsknk084sn02q';

type CancelOptions = OutputOptions & { reason?: string };

async function cancellation(deps: CommandDeps, id: string) {
  const { scope } = await findOrderOwner(deps, id);
  const owner = await nameOrganization(deps, encodeId('org', scope.organizationId));
  return `Cancel the ${scope.environment} order ${id} of ${owner}? Each of its unclaimed gifts becomes void, and their amount returns to the balance. ${FOR_EVER}`;
}

/** `order …`. */
export function orderCommands(program: Command): void {
  const group = addGroup(program, 'order', 'orders: look up, cancel', `order show ${ORDER}`);
  orderListCommands(group);
  addCommand(
    group,
    'cancel',
    'cancel every unclaimed gift of an order; their amount returns to the balance',
    `order cancel ${ORDER}`,
    { confirms: cancellation },
  )
    .option('--reason <text>', 'why it is canceled; recipients do not see it', parseReason)
    .argument('<order>', 'the order (ord_…)')
    .action(async (id: string, options: CancelOptions) => {
      const { order, currency } = await withDatabase(async (deps) => {
        const { scope, orderId } = await findOrderOwner(deps, id);
        const secrets = secretsFor('gifts', deps.config, await secretsForCommand(deps));
        const links = createLinks(secrets, () => addressOfServer(deps.config));
        const canceled = { orderId, reason: options.reason, actor: operator() };
        return {
          ...(await cancelOrder({ ...deps, links }, admitted(scope), canceled)),
          currency: deps.config.currency,
        };
      });
      const refunds = order.gifts.flatMap(({ cancellation }) => cancellation?.refunded ?? []);
      const refunded_cents = refunds.reduce((sum, refunded) => sum + refunded, 0);
      printOne(options, { order_id: id, canceled_gifts: refunds.length, refunded_cents }, () => ({
        order: id,
        'canceled gifts': refunds.length,
        refunded: showMoney(refunded_cents, currency),
      }));
    });
}
