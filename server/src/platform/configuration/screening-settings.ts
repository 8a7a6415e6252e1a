import { OperatorError } from '../base/operator-error.ts';
import { parseUrl, refuse, text } from './setting-kinds.ts';

/** Environment variables of the screening of claims. */
export const screeningSettings = {
  SCREENING_URL: text(
    'Address of your service that [allows or holds each claim](issuers.md#screen-claims) of a live gift; private addresses too',
    'none: claims are not screened',
    (value, name) => {
      if (value !== undefined) parseUrl(value, name, ['http:', 'https:'], 'an http:// or https:// address');
      return value;
    },
  ),
  SCREENING_SECRET: text(
    'Secret that signs the requests to `SCREENING_URL`, `whsec_…` as Standard Webhooks writes it; required with it',
    'none',
    (value, name) =>
      value === undefined || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value)
        ? value
        : refuse(name, 'whsec_ and at least 24 bytes in Base64'),
  ),
} as const;

export interface ScreeningConfig {
  url: string;
  secret: string;
}

/** @throws OperatorError if only one is set */
export function screeningConfig(url: string | undefined, secret: string | undefined): ScreeningConfig | undefined {
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined || secret === undefined)
    throw new OperatorError('SCREENING_URL and SCREENING_SECRET must be set together.');
  return { url, secret };
}
