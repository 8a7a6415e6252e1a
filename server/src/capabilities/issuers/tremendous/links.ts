import { TremendousError } from './account.ts';
import type { TremendousSettings } from './settings.ts';

const DOMAIN = 'tremendous.com';

/** Where links may lead: `https://*.…` stands for all hosts below. */
export const targetsOf = ({ apiBase }: TremendousSettings): readonly string[] =>
  apiBase === undefined ? [`https://${DOMAIN}`, `https://*.${DOMAIN}`] : [new URL(apiBase).origin];

/** Returns the link. @throws if it does not lead to Tremendous */
export function checkedLink(settings: TremendousSettings, link: unknown): string {
  const address = theirAddress(settings, link);
  if (address === undefined) throw new TremendousError('It answered with a link that leads elsewhere.', 200);
  return address;
}

/** Returns the address if it is of Tremendous; undefined otherwise. */
export function theirAddress({ apiBase }: TremendousSettings, address: unknown): string | undefined {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  const isTheirs =
    apiBase === undefined
      ? url?.protocol === 'https:' && (url.hostname === DOMAIN || url.hostname.endsWith(`.${DOMAIN}`))
      : url?.origin === new URL(apiBase).origin;
  return isTheirs ? url?.href : undefined;
}
