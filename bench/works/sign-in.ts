import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCipher } from '../../server/src/platform/encryption/cipher.ts';
import { keepCookies } from '../../server/test/harness/portal-client.ts';
import type { Installation } from '../installation.ts';

/** The cookies of a person who is signed in to the portal and, as an operator, to the operator's page. */
export async function signIn({ sql, linkSecret, bestow }: Installation, url: string, email: string): Promise<string> {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const call = async (path: string, body: object) => {
    const headers = { origin: url, cookie: cookies(), 'content-type': 'application/json' };
    const answer = await fetch(`${url}/portal/api/auth${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The sign-in was refused: ${await answer.text()}`);
    keepCookies(jar, answer.headers);
  };
  await sql.query('delete from portal.codes');
  await call('/email-otp/send-verification-otp', { email, type: 'sign-in' });
  await call('/sign-in/email-otp', { email, otp: await codeOf(sql, linkSecret) });
  await bestow(['operator', 'add', email, '--json']).catch(() => undefined);
  jar.set('__Host-bestow.operator', await beginOperatorSession(sql, email));
  return cookies();
}

async function codeOf(sql: Installation['sql'], linkSecret: string): Promise<string> {
  for (;;) {
    const { rows } = await sql.query<{ sealed: string }>(`select details->>'sealed_code' as sealed from portal.codes`);
    const [code] = rows;
    if (code !== undefined) return createCipher([linkSecret]).decrypt(code.sealed) ?? '';
    await sleep(20);
  }
}

/** As a second factor would. */
async function beginOperatorSession(sql: Installation['sql'], email: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await sql.query(
    `insert into portal.operator_sessions (token_hash, operator_id, user_id, address, proved_at, created_at, expires_at)
     select $2, operator_id, u.id, '127.0.0.1', now(), now(), now() + interval '50 minutes'
     from portal.operators o join portal.users u on u.email = o.email where o.email = $1`,
    [email, createHash('sha256').update(token).digest()],
  );
  return token;
}
