import { encodeId } from '../../server/src/platform/base/ids.ts';
import type { Installation, SeededOrganization } from '../installation.ts';
import { uuidOf } from '../site.ts';

/** Ids and values of an organization, from the middle of its lists, by the name that works give them. */
export async function readSamples(
  sql: Installation['sql'],
  organization: SeededOrganization,
): Promise<Record<string, string>> {
  const one = async (text: string): Promise<string> => {
    const { rows } = await sql.query({ text, values: [uuidOf(organization)], rowMode: 'array' });
    return String(rows[0]?.[0] ?? '');
  };
  const middle = (column: string, table: string, key: string) =>
    one(
      `select ${column} from ${table} where organization_id = $1 order by ${key}
       offset (select count(*) / 2 from ${table} where organization_id = $1) limit 1`,
    );
  const address = (n: number) =>
    one(
      `select address from gifts where organization_id = $1 and method = 'email' order by gift_id offset ${n} limit 1`,
    );
  const time = new Date(await middle('created_at::text', 'orders', 'order_id')).toISOString();
  return {
    organization_id: organization.organization_id,
    environment: 'live',
    email: await one('select email from members where organization_id = $1 order by member_id limit 1'),
    gift_id: encodeId('gift', await middle('gift_id', 'gifts', 'gift_id')),
    order_id: encodeId('ord', await middle('order_id', 'orders', 'order_id')),
    contact_id: encodeId('con', await middle('contact_id', 'contacts', 'contact_id')),
    batch_id: encodeId('batch', await middle('batch_id', 'batches', 'batch_id')),
    request_id: encodeId('req', await middle('request_id', 'request_log', 'request_id')),
    address: await address(100),
    erased: await address(110),
    erased_first: await address(120),
    erased_second: await address(130),
    month: time.slice(0, 7),
    year: time.slice(0, 4),
    day: time.slice(0, 10),
    time: `${time.slice(0, 16)}Z`,
  };
}
