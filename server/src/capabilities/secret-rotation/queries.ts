import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

interface SealedRow {
  organization_id: string;
  id: string;
  sealed: string;
}

const encryptedColumns = [
  ['webhook_endpoints', 'endpoint_id', 'secret'],
  ['webhook_endpoints', 'endpoint_id', 'previous_secret'],
  // A rotation moves secrets down this list, so none is missed.
  ['webhook_endpoints', 'endpoint_id', 'earlier_secrets[1]'],
  ['webhook_endpoints', 'endpoint_id', 'earlier_secrets[2]'],
  ['webhook_endpoints', 'endpoint_id', 'earlier_secrets[3]'],
  ['issuers', 'issuer_id', 'settings'],
  ['shop_codes', 'code_id', 'sealed'],
  ['cards', 'gift_id', 'entered'],
  ['cards', 'gift_id', 'sealed'],
  ['sender_domains', 'organization_id', 'private_key'],
] as const;

/** Every column whose encrypted values outlive a replaced link secret. Codes in mails end within minutes. */
export const encryptedValues = encryptedColumns.map(([table, id, column]) => ({
  select: statementOnEachShard<[afterOrganizationId: string, afterId: string, limit: number], SealedRow>(
    `${table}.list_sealed_${column}`,
    'the secrets of every organization are encrypted with the same key',
    `select organization_id, ${id} as id, ${column} as sealed from ${table}
     where (organization_id, ${id}) > ($1, $2) and ${column} is not null
     order by organization_id, ${id} limit $3`,
  ),
  /** Changes nothing if the value was replaced since it was read. */
  replace: statement<[organizationId: string, id: string, sealed: string, read: string]>(
    `${table}.reseal_${column}`,
    `update ${table} set ${column} = $3 where organization_id = $1 and ${id} = $2 and ${column} = $4`,
  ),
}));
