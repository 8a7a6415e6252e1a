import { createTransport } from 'nodemailer';
import type { Config } from '../configuration/config.ts';
import { tlsOptions } from './smtp-channel.ts';

/**
 * Connects and signs in without sending anything.
 *
 * @throws the server's or the network's error
 */
export async function verifySmtp({ url }: NonNullable<Config['smtp']>, withinMs: number): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
    dnsTimeout: withinMs,
    ...tlsOptions(url),
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
