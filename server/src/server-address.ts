import { OperatorError } from './base/operator-error.ts';
import type { Config } from './config.ts';

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '127.0.0.1', 'localhost']);

/** The address of a service that listens there, as a person on the same machine opens it. */
export function localAddress(host: string, port: number): string {
  const name = ANY_ADDRESS.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/**
 * The address that links begin with, for a process that does not listen itself: the one where `serve` does.
 *
 * @throws OperatorError where it cannot be known
 */
export function addressOfServer({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  if (port === 0)
    throw new OperatorError('PUBLIC_URL must be set where PORT is 0, because links in messages begin with it.');
  return localAddress(host, port);
}
