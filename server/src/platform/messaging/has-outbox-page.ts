import { isLoopback } from '../base/loopback.ts';
import type { Config } from '../configuration/config.ts';

/**
 * Whether the service has an outbox page: only at a loopback address, with its own database, while nothing is sent, and
 * never in production.
 */
export function hasOutboxPage(
  { isProduction, smtp, twilio, databaseUrls }: Pick<Config, 'isProduction' | 'smtp' | 'twilio' | 'databaseUrls'>,
  publicUrl: string,
): boolean {
  const isLocal = !isProduction && smtp === undefined && twilio === undefined && databaseUrls.length === 0;
  return isLocal && isLoopback(new URL(publicUrl).hostname);
}
