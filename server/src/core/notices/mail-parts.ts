import { dateOf } from 'bestow-readers/time.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { plainName, shorten } from '../../platform/messaging/plain-name.ts';
import type { Deps } from '../deps.ts';
import { type MailText, trusted } from './mail-text.ts';

const LONGEST_NAME_IN_SUBJECT = 80;
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export const ENVIRONMENTS = { live: 'Live', sandbox: 'Sandbox' } as const satisfies Record<Environment, string>;
export const inSubject = (name: string) => shorten(plainName(name), LONGEST_NAME_IN_SUBJECT);
export const portal = ({ publicUrl }: Pick<Deps, 'publicUrl'>) => `${publicUrl()}/portal`;
/** @param at ISO 8601 */
export const timeText = (at: string) => trusted(`${dateFormat.format(dateOf(at))} UTC`);

/** Whom an admin asks about the service, with the contact that the settings name. */
export function theOperator({ config }: Pick<Deps, 'config'>): MailText {
  const { name = null, email = null, url = null } = config.operator ?? {};
  const addresses = [email, url].filter((one) => one !== null).join(', ');
  return trusted(`${name ?? 'the operator of the service'}${addresses === '' ? '' : ` (${addresses})`}`);
}
