import type { PoolClient } from 'pg';
import { deleteBalanceOf, deleteLedgerOf } from '../../core/balances/delete-of-sandbox.ts';
import { lockBalance } from '../../core/balances/lock-balance.ts';
import { deleteSpendingOf } from '../../core/caps/delete-of-sandbox.ts';
import { deleteGiftsOf } from '../../core/gifts/sandbox/delete-of-sandbox.ts';
import { deleteOrdersOf } from '../../core/orders/delete-of-sandbox.ts';
import { deleteTriesOf } from '../../core/sandbox/delete-tries.ts';
import { DELETED_WITHIN_MS } from '../../core/sandbox/lock-sandbox.ts';
import type { DeletedContents, DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { deleteContactsOfSandbox } from '../contacts/delete-of-sandbox.ts';
import { deleteFilesOf } from '../gift-batches/delete-of-sandbox.ts';
import { deleteRequestsOf } from '../gift-requests/delete-of-sandbox.ts';
import { deletePreviewsOfSandbox } from '../previews/forget-previews.ts';
import { restartEndpointsOf } from '../webhooks/restart-of-sandbox.ts';
import { deleteRulesOfSandbox } from '../yearly-gifts/delete-of-sandbox.ts';

/** What each owner of tables deletes, rows with foreign keys first. */
export const sandboxOwners: readonly { tables: readonly string[]; deleteOf: DeleteOfSandbox }[] = [
  { tables: ['ledger_entries', 'ledger_legs', 'seals', 'seal_nodes'], deleteOf: deleteLedgerOf },
  {
    tables: ['gifts', 'deliveries', 'cards', 'card_facts', 'card_proofs', 'card_purchases'],
    deleteOf: deleteGiftsOf,
  },
  { tables: ['orders', 'metadata_pairs'], deleteOf: deleteOrdersOf },
  { tables: ['batches', 'batch_rows'], deleteOf: deleteFilesOf },
  { tables: ['gift_requests', 'gift_request_approvals'], deleteOf: deleteRequestsOf },
  { tables: ['previewed_orders'], deleteOf: deletePreviewsOfSandbox },
  { tables: ['yearly_gifts', 'yearly_rules'], deleteOf: deleteRulesOfSandbox },
  { tables: ['contacts', 'contact_words'], deleteOf: deleteContactsOfSandbox },
  { tables: ['spending'], deleteOf: deleteSpendingOf },
  { tables: ['balances', 'balance_alerts'], deleteOf: deleteBalanceOf },
  { tables: ['steered_tries'], deleteOf: deleteTriesOf },
  { tables: ['webhook_deliveries', 'webhook_attempts'], deleteOf: restartEndpointsOf },
];

/**
 * Deletes the contents of a sandbox, within the transaction of `lockSandbox`. Orders are placed and completed under the
 * balance's lock, so no order is deleted half-written. Acts on gifts are refused during the deletion (`sandboxLocked`).
 *
 * @param organizationId UUID
 */
export async function deleteContents(client: PoolClient, organizationId: string): Promise<DeletedContents> {
  const { existed } = await lockBalance(client, organizationId, 'sandbox');
  await allowStatements(client, DELETED_WITHIN_MS);
  const deleted: DeletedContents = {
    orders_deleted: 0,
    gifts_deleted: 0,
    balances_deleted: existed ? 1 : 0,
    ledger_entries_deleted: 0,
  };
  for (const { deleteOf } of sandboxOwners) Object.assign(deleted, await deleteOf(client, organizationId));
  return deleted;
}
