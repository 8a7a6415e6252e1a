import type { AdapterPayload } from 'oidc-provider';
import { statement } from '../../platform/database/statement.ts';

/** The library's names of what is kept. All else that it would keep lives no longer than a request. */
export type RecordKind = 'Client' | 'Interaction' | 'AuthorizationCode' | 'RefreshToken' | 'Grant';

type OneRecord = [kind: RecordKind, idHash: Buffer];

export const writeRecord = statement<[...OneRecord, grantId: string | null, payload: string, expiresAt: Date]>(
  'oauth_records.write',
  `insert into portal.oauth_records (kind, id_hash, grant_id, payload, expires_at) values ($1, $2, $3, $4::jsonb, $5)
   on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
);

/** Keeps a record if it was not kept yet. */
export const keepRecord = statement<[...OneRecord, payload: string, expiresAt: Date]>(
  'oauth_records.keep',
  `insert into portal.oauth_records (kind, id_hash, payload, expires_at) values ($1, $2, $3::jsonb, $4)
   on conflict (kind, id_hash) do nothing`,
);

/** Keeps a client and a grant as long as their newest refresh token. */
export const extendRecords = statement<[clientHash: Buffer, grantHash: Buffer, expiresAt: Date]>(
  'oauth_records.extend',
  `update portal.oauth_records set expires_at = $3
   where (kind = 'Client' and id_hash = $1 or kind = 'Grant' and id_hash = $2) and expires_at < $3`,
);

export const selectRecord = statement<[...OneRecord, now: Date], { payload: AdapterPayload; is_consumed: boolean }>(
  'oauth_records.select',
  `select payload, consumed_at is not null as is_consumed from portal.oauth_records
   where kind = $1 and id_hash = $2 and expires_at > $3 and payload <> '{}'`,
);

/** Returns a row to one of several concurrent requests with the same code or token. */
export const consumeRecord = statement<[...OneRecord, now: Date], { kind: string }>(
  'oauth_records.consume',
  `update portal.oauth_records set consumed_at = $3 where kind = $1 and id_hash = $2 and consumed_at is null
   returning kind`,
);

/** Lets a sign-in be answered again whose answer was refused. */
export const releaseRecord = statement<OneRecord>(
  'oauth_records.release',
  'update portal.oauth_records set consumed_at = null where kind = $1 and id_hash = $2',
);

export const deleteRecord = statement<OneRecord>(
  'oauth_records.delete',
  'delete from portal.oauth_records where kind = $1 and id_hash = $2',
);

/** Empties a sign-in that was answered. Its row stays, so that no cookie of its browser begins it again. */
export const emptyRecord = statement<OneRecord>(
  'oauth_records.empty',
  `update portal.oauth_records set payload = '{}' where kind = $1 and id_hash = $2`,
);

export const deleteRecordsOfGrant = statement<[kind: RecordKind, grantId: string]>(
  'oauth_records.delete_of_grant',
  'delete from portal.oauth_records where kind = $1 and grant_id = $2',
);

export const deleteExpiredRecords = statement<[expiredBefore: Date]>(
  'oauth_records.delete_expired',
  `with answers as (delete from portal.oauth_refreshes where expires_at < $1)
   delete from portal.oauth_records where expires_at < $1`,
);

/**
 * Begins a refresh. Returns no row if the token is not known, or another request with it has begun and its answer may still be
 * repeated.
 */
export const beginRefresh = statement<[tokenHash: Buffer, now: Date, expiresAt: Date], { token_hash: Buffer }>(
  'oauth_refreshes.begin',
  `insert into portal.oauth_refreshes as r (token_hash, expires_at)
   select $1, $3 from portal.oauth_records where kind = 'RefreshToken' and id_hash = $1
   on conflict (token_hash) do update set answer = null, expires_at = $3 where r.expires_at <= $2
   returning token_hash`,
);

/** Keeps the answer and uses the token up. Returns no row if another request has finished before. */
export const finishRefresh = statement<
  [tokenHash: Buffer, answer: string, now: Date, expiresAt: Date],
  { token_hash: Buffer }
>(
  'oauth_refreshes.finish',
  `with finished as (
     update portal.oauth_refreshes set answer = $2, expires_at = $4 where token_hash = $1 and answer is null
     returning token_hash
   ), used as (
     update portal.oauth_records set consumed_at = $3
     where kind = 'RefreshToken' and id_hash = $1 and exists (select from finished)
   )
   select token_hash from finished`,
);

export const abandonRefresh = statement<[tokenHash: Buffer]>(
  'oauth_refreshes.abandon',
  'delete from portal.oauth_refreshes where token_hash = $1 and answer is null',
);

export const selectRefresh = statement<[tokenHash: Buffer, now: Date], { answer: string | null }>(
  'oauth_refreshes.select',
  'select answer from portal.oauth_refreshes where token_hash = $1 and expires_at > $2',
);
