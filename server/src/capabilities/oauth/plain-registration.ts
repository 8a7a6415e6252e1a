import { BestowError } from '../../platform/base/errors.ts';
import { visibleText } from '../../platform/base/visible-text.ts';

const MOST_REDIRECTS = 10;
/** Of all addresses: they are sealed in the id, which stands in an address and in a cookie. */
const MOST_LETTERS = 1_000;

/**
 * Keeps of a registration (RFC 7591) a name and addresses, so that no program gets a secret or lets us read an address. The
 * library checks the addresses.
 *
 * @throws BestowError `request_body_invalid`
 */
export function plainRegistration(body: unknown): string {
  const { client_name, redirect_uris: redirects } = (body ?? {}) as Record<string, unknown>;
  if (!Array.isArray(redirects) || redirects.length > MOST_REDIRECTS || !redirects.every(isAddress))
    throw new BestowError('request_body_invalid', {
      message: `redirect_uris must be a list of 1 to ${MOST_REDIRECTS} addresses.`,
    });
  if (redirects.join('').length > MOST_LETTERS)
    throw new BestowError('request_body_invalid', {
      message: `redirect_uris must have at most 1,000 characters together.`,
    });
  return JSON.stringify({
    ...(typeof client_name === 'string' && visibleText(client_name) !== ''
      ? { client_name: visibleText(client_name) }
      : {}),
    redirect_uris: redirects,
    token_endpoint_auth_method: 'none',
  });
}

const isAddress = (value: unknown) => typeof value === 'string' && !/[\p{Cc}\p{Cs}]/u.test(value);
