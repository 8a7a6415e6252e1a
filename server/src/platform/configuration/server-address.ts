import { OperatorError } from '../base/operator-error.ts';
import type { Config } from './config.ts';

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '127.0.0.1', 'localhost']);

/** Returns the address that a browser on the same machine uses. */
export function localAddress(host: string, port: number): string {
  const name = ANY_ADDRESS.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/**
 * Returns the address of the server, with which links begin, for a process that does not listen.
 *
 * @throws OperatorError if the server takes any free port
 */
export function addressOfServer({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  if (port === 0)
    throw new OperatorError('PUBLIC_URL must be set if PORT is 0, because links in messages begin with it.');
  return localAddress(host, port);
}
