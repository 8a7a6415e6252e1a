import { isNetwork } from '../base/network.ts';
import { OperatorError } from '../base/operator-error.ts';
import { listOf, parseInteger, parseUrl, refuse, text } from './setting-kinds.ts';

/** The operator's page, which exists once `bestow operator add` has named someone. */
export interface OperatorPageConfig {
  /** undefined: the port of everything else. */
  port: number | undefined;
  /** Without a final slash; undefined: PUBLIC_URL, or its host with `port`. */
  url: string | undefined;
  /** Empty: every network. */
  networks: string[];
}

/** Environment variables of the operator's page. */
export const operatorPageSettings = {
  OPERATOR_PAGE_PORT: text(
    'Own port for [the operator’s page](operator-page.md); the other port then has no such page',
    'none: `/operator` of the service',
    (value, name) => (value === undefined ? undefined : parseInteger(value, name, 1, 65535)),
  ),
  OPERATOR_PAGE_URL: text(
    'Public address of that port; passkeys need the host of `PUBLIC_URL` or one below it',
    'the host of `PUBLIC_URL`, by `http`, with `OPERATOR_PAGE_PORT`',
    (value, name) => {
      if (value === undefined) return undefined;
      const { origin, href } = parseUrl(
        value,
        name,
        ['http:', 'https:'],
        'an http:// or https:// address without a path',
      );
      return href.replace(/\/$/, '') === origin
        ? origin
        : refuse(name, 'an http:// or https:// address without a path');
    },
  ),
  OPERATOR_PAGE_NETWORKS: text(
    'Networks from which the operator’s page can be opened, such as `10.1.0.0/16`, separated by commas',
    'all',
    (value, name): string[] => {
      const networks = listOf(value ?? '');
      const wrong = networks.find((network) => !isNetwork(network));
      return wrong === undefined ? networks : refuse(name, 'a list of networks such as 10.1.0.0/16', wrong);
    },
  ),
} as const;

/** @throws OperatorError if an address is set without its port */
export function operatorPageConfig(
  port: number | undefined,
  url: string | undefined,
  networks: string[],
): OperatorPageConfig {
  if (url !== undefined && port === undefined)
    throw new OperatorError('OPERATOR_PAGE_PORT must be set where OPERATOR_PAGE_URL is: the port behind that address.');
  return { port, url, networks };
}

/** The address below which the operator's page is. */
export function operatorPageUrl({ port, url }: OperatorPageConfig, publicUrl: string): string {
  if (url !== undefined) return url;
  return port === undefined ? publicUrl : `http://${new URL(publicUrl).hostname}:${port}`;
}
