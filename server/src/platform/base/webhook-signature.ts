import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Makes the secret of an endpoint, as Standard Webhooks 1.0 writes it. */
export const createSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Returns the value of `webhook-signature`: one signature for each secret. */
export function sign(secrets: readonly string[], id: string, seconds: number, body: string): string {
  const signed = `${id}.${seconds}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    })
    .join(' ');
}
