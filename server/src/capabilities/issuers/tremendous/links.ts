import { TremendousError } from './account.ts';
import type { TremendousSettings } from './settings.ts';

const DOMAIN = 'tremendous.com';

/** Where links may lead: `https://*.…` stands for all hosts below. */
export const targetsOf = ({ apiBase }: TremendousSettings): readonly string[] =>
  apiBase === undefined ? [`https://${DOMAIN}`, `https://*.${DOMAIN}`] : [new URL(apiBase).origin];

/** Returns the link. @throws if it does not lead to Tremendous */
export function checkedLink({ apiBase }: TremendousSettings, link: unknown): string {
  const url = typeof link === 'string' && URL.canParse(link) ? new URL(link) : undefined;
  const isTheirs =
    apiBase === undefined
      ? url?.protocol === 'https:' && (url.hostname === DOMAIN || url.hostname.endsWith(`.${DOMAIN}`))
      : url?.origin === new URL(apiBase).origin;
  if (url === undefined || !isTheirs) throw new TremendousError('It answered with a link that leads elsewhere.', 200);
  return url.href;
}
