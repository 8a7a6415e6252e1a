import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { networkSet, plainAddress } from '../base/network.ts';

const WITHOUT_ADDRESS =
  'X-Forwarded-For of a trusted proxy has no address: such requests count as the proxy’s. Correct what the proxy sends.';

/**
 * Finds the client of a request: the nearest address that is no trusted proxy's. A text that is no address counts as the
 * proxy that forwarded it.
 *
 * @param trustProxy addresses or ranges
 * @returns undefined if the connection is closed
 */
export function createClientAddress(trustProxy: readonly string[], log: Pick<Logger, 'warn'>) {
  const isProxy = networkSet(trustProxy);
  let hasWarned = false;
  return ({ socket, headers }: IncomingMessage): string | undefined => {
    let address = plainAddress(socket.remoteAddress);
    const forwarded = headers['x-forwarded-for'];
    const texts = typeof forwarded === 'string' ? forwarded.split(',') : [];
    for (const text of texts.reverse()) {
      if (address === undefined || !isProxy(address)) break;
      const next = plainAddress(text);
      if (next === undefined) {
        if (!hasWarned) log.warn({ proxy: address }, WITHOUT_ADDRESS);
        hasWarned = true;
        break;
      }
      address = next;
    }
    return address;
  };
}
