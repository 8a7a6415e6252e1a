import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Deps } from '../../core/deps.ts';
import { giveToBrowser, takeFromBrowser } from './begun-cookies.ts';
import { endConnection } from './end-connection.ts';
import { hashOf } from './hash.ts';
import * as queries from './queries.ts';
import { readClientId } from './registered-client.ts';

const KEPT = new Set(['Client', 'Interaction', 'AuthorizationCode', 'RefreshToken', 'Grant']);

/**
 * Keeps what the library hands over, in the database of people. Of access tokens and the library’s own sessions nothing is
 * kept: `grants/renew-token.ts` makes access tokens, and a person is asked at each sign-in. Strangers fill no table: a
 * registration is sealed in its id, a sign-in in its browser’s cookies, until `keepBegun` keeps them.
 */
export function createRecords(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer' | 'cipher'>,
  name: string,
): Adapter {
  const kind = KEPT.has(name) ? (name as queries.RecordKind) : undefined;
  const { home } = deps.database;
  const now = () => new Date(deps.clock.now());
  const inSeconds = (seconds: number) => new Date(deps.clock.now() + seconds * 1_000);

  async function find(id: string): Promise<AdapterPayload | undefined> {
    if (kind === undefined) return undefined;
    const [row] = await queries.selectRecord(home, [kind, hashOf(id), now()]);
    if (row === undefined) return kind === 'Client' ? readClientId(deps, id) : undefined;
    const isOfClient = kind === 'Client';
    return { ...row.payload, ...(isOfClient ? {} : { jti: id }), ...(row.is_consumed ? { consumed: true } : {}) };
  }

  async function destroy(id: string): Promise<void> {
    if (kind === undefined) return;
    if (kind === 'Interaction') {
      takeFromBrowser();
      await queries.emptyRecord(home, [kind, hashOf(id)]);
      return;
    }
    const accountId = kind === 'Grant' ? (await find(id))?.accountId : undefined;
    if (accountId !== undefined) {
      const { oidc, ip = '' } = Provider.ctx ?? {};
      const reason = oidc?.route === 'revocation' ? 'signed_out' : 'used_twice';
      await endConnection(deps, accountId, { reason, address: ip });
    }
    await queries.deleteRecord(home, [kind, hashOf(id)]);
  }

  return {
    find,
    destroy,
    async upsert(id, { jti, ...payload }, expiresIn = 0) {
      if (kind === undefined || kind === 'Client') return;
      const expiresAt = inSeconds(expiresIn);
      if (kind === 'Interaction' && payload.result === undefined) return giveToBrowser(deps, id, payload, expiresAt);
      const grantId = payload.grantId ?? null;
      await queries.writeRecord(home, [kind, hashOf(id), grantId, JSON.stringify(payload), expiresAt]);
      if (kind === 'RefreshToken')
        await queries.extendRecords(home, [hashOf(payload.clientId ?? ''), hashOf(grantId ?? ''), expiresAt]);
    },
    async consume(id) {
      // `repeat-refresh.ts` uses a refresh token up.
      if (kind === undefined || kind === 'RefreshToken') return;
      const [consumed] = await queries.consumeRecord(home, [kind, hashOf(id), now()]);
      if (consumed !== undefined) return;
      const { grantId } = (await find(id)) ?? {};
      if (grantId !== undefined) await createRecords(deps, 'Grant').destroy(grantId);
      throw new errors.InvalidGrant('already used');
    },
    async revokeByGrantId(grantId) {
      if (kind !== undefined) await queries.deleteRecordsOfGrant(home, [kind, grantId]);
    },
    // Of features that are off.
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
  };
}
