import type { Queryable } from '../../platform/database/statement.ts';
import type { Language } from '../../platform/languages/languages.ts';
import type { Deps } from '../deps.ts';
import { insertCode } from './code-queries.ts';

interface NewCode {
  /** An email address; of the finder also a phone number. */
  recipient: string;
  code: string;
  expiresMinutes: number;
  kind?: 'sign_in_code' | 'finder_code';
  /** Only of the finder. */
  channel?: 'email' | 'phone';
  /** Only of the finder. */
  language?: Language;
}

/** Queues the message with a code. The code is stored encrypted. @param database in the transaction of the caller, if any */
export async function queueCode(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'cipher' | 'tracer'>,
  { recipient, code, expiresMinutes, kind = 'sign_in_code', channel, language }: NewCode,
  database: Queryable = deps.database.home,
): Promise<void> {
  const details = { sealed_code: deps.cipher.encrypt(code), expires_minutes: expiresMinutes, channel, language };
  const createdAt = new Date(deps.clock.now());
  await insertCode(database, [
    deps.ids.next(),
    recipient,
    JSON.stringify(details),
    createdAt,
    deps.tracer?.current(),
    kind,
  ]);
}
