import { encodeId } from '../../platform/base/ids.ts';
import type { OrderedBy } from './history-schema.ts';

/** Who placed an order, as its row tells it. All ids are UUIDs. */
export interface OrderedByRow {
  idempotency_key: string;
  /** Null unless an API key or an agent's token ordered. */
  key_id: string | null;
  key_name: string | null;
  grant_id: string | null;
  grant_name: string | null;
  member_id: string;
  member_email: string;
}

/** Of the service's own keys: the id of the file or rule stands first. Keys of clients may look the same. */
const OWN_KEY = /^(?:(batch_)|rule_)[0-9a-z]+(?=_)/;

/** Tells who or what placed an order. */
export function orderedBy(row: OrderedByRow): OrderedBy {
  if (row.grant_id !== null) return { kind: 'agent', id: encodeId('grant', row.grant_id), name: row.grant_name };
  if (row.key_id !== null) return { kind: 'key', id: encodeId('key', row.key_id), name: row.key_name };
  const [id, isFile] = OWN_KEY.exec(row.idempotency_key) ?? [];
  if (id !== undefined) return { kind: isFile === undefined ? 'rule' : 'file', id, name: null };
  return { kind: 'member', id: encodeId('mem', row.member_id), name: row.member_email };
}
