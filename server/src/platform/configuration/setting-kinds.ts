import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isLoopback } from '../base/loopback.ts';
import { OperatorError } from '../base/operator-error.ts';

export interface Setting<Value> {
  /** Shown in docs/configuration.md. */
  description: string;
  /** Shown in docs/configuration.md. */
  defaultText: string;
  /** The text is undefined if the variable is unset or empty. */
  parse(text: string | undefined, name: string): Value;
}

/** @param text left out if it may contain a password */
export const refuse = (name: string, expected: string, text?: string): never => {
  throw new OperatorError(`${name} must be ${expected}${text === undefined ? '' : `, but is "${text}"`}.`);
};

export function parseInteger(text: string, name: string, least: number, most: number, or = ''): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least || value > most)
    return refuse(name, `${or}a whole number from ${least} to ${most}`, text);
  return value;
}

export function integer(description: string, byDefault: number, least: number, most: number): Setting<number> {
  return {
    description,
    defaultText: String(byDefault),
    parse: (text, name) => (text === undefined ? byDefault : parseInteger(text, name, least, most)),
  };
}

/** Parses a missing value as undefined. */
export function oneOf<Value extends string>(
  description: string,
  values: readonly Value[],
  defaultText: string,
): Setting<Value | undefined> {
  return {
    description: `${description}: ${values.map((value) => `\`${value}\``).join(', ')}`,
    defaultText,
    parse: (text, name) =>
      text === undefined
        ? undefined
        : (values.find((value) => value === text) ?? refuse(name, `one of ${values.join(', ')}`, text)),
  };
}

export function text<Value>(description: string, defaultText: string, parse: Setting<Value>['parse']): Setting<Value> {
  return { description, defaultText, parse };
}

export const zeroOrOne = (description: string, byDefault: '0' | '1') =>
  text(description, byDefault, (value = byDefault, name) =>
    value === '1' || value === '0' ? value === '1' : refuse(name, '0 or 1', value),
  );

export const optional = (description: string, defaultText = 'none') => text(description, defaultText, (value) => value);

/** Whether the file can be read and has a certificate: Node only warns otherwise. */
export function hasCertificates(path: string): boolean {
  try {
    return readFileSync(path, 'latin1').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

export const listOf = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/**
 * Whether a user or password ends the host's part of a URL, or has a `%` that encodes nothing: `smtp://app:12/34@host` would
 * be host `app`, port 12.
 */
function hasRawPassword(value: string): boolean {
  const [, authority = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(value) ?? [];
  const [path = '', query = ''] = rest.replace(/#.*/s, '').split('?', 2);
  const isInQuery = query.includes('@') && !query.includes('=');
  const encodesNothing = /%(?![0-9a-f]{2}).*@/is.test(authority);
  return authority !== '' && (path.includes('@') || /#.*@/s.test(rest) || isInQuery || encodesNothing);
}

export function parseUrl(value: string, name: string, protocols: readonly string[], expected: string): URL {
  if (!protocols.includes('http:') && hasRawPassword(value))
    throw new OperatorError(
      `${name} has a /, ?, #, @ or % in its user or password; percent-encode it: %2F for /, %3F for ?, %23 for #, %40 for @, %25 for %.`,
    );
  const url = URL.canParse(value) ? new URL(value) : refuse(name, expected);
  return protocols.includes(url.protocol) ? url : refuse(name, expected);
}

/** The address of a provider's API, which gets a secret with each call: plain text stays on this machine. */
export function providerUrl(value: string | undefined, name: string): string | undefined {
  if (value === undefined) return undefined;
  const expected = 'an https:// address, or an http:// one on this machine';
  const { protocol, hostname } = parseUrl(value, name, ['http:', 'https:'], expected);
  return protocol === 'https:' || isLoopback(hostname) ? value : refuse(name, expected);
}

export function postgresUrl(value: string | undefined, name: string): string | undefined {
  if (value !== undefined)
    parseUrl(value, name, ['postgres:', 'postgresql:'], 'an address that begins with postgres://');
  return value;
}

export const isProxyAddress = (address: string) => {
  const [ip, bits, ...rest] = address.split('/');
  const family = isIP(ip ?? '');
  return (
    family > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
};

export function parseSecrets(value: string | undefined, name: string): string[] {
  const secrets = listOf(value ?? '');
  if (value !== undefined && (secrets.length === 0 || secrets.some((secret) => secret.length < 32)))
    throw new OperatorError(`${name} must hold secrets of at least 32 characters each, separated by commas.`);
  return secrets;
}

export function readCurrency(value = 'USD', name = ''): string {
  if (!Intl.supportedValuesOf('currency').includes(value))
    return refuse(name, 'an ISO 4217 currency code such as USD', value);
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: value,
  }).resolvedOptions();
  return maximumFractionDigits === 2 ? value : refuse(name, 'a currency with cents, such as USD', value);
}
