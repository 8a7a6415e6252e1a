import { hashKey } from '../../src/platform/authentication/key-format.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { TestService } from './test-service.ts';

/** Returns the id of a key. */
export async function keyIdOf(service: TestService, key: string): Promise<string> {
  const [row] = await service.sql<{ key_id: string }>('select key_id from api_keys where hash = $1', [hashKey(key)]);
  return encodeId('key', row?.key_id ?? '');
}
