import { isDayOfYear } from 'bestow-readers/written-day.ts';
import type { Deps } from '../../core/deps.ts';
import { destination, isImpossibleLiveAddress } from '../../platform/base/destination.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { ContactValues } from './queries.ts';
import type { ContactChangeBody, ContactInputBody } from './schema.ts';

/** What is given of a contact; what is left out stays as it is. */
export type GivenContact = Pick<ContactValues, 'method' | 'address'> & Partial<ContactValues>;

type Config = Pick<Deps['config'], 'sandboxMailDomain'>;

/**
 * Reads a contact that fits its schema. Tags are kept once.
 *
 * @throws BestowError `parameter_invalid` for a day that no calendar has, or an address that cannot exist
 */
export function readContact(config: Config, environment: Environment, input: ContactInputBody): GivenContact;
export function readContact(config: Config, environment: Environment, input: ContactChangeBody): Partial<GivenContact>;
export function readContact(
  { sandboxMailDomain }: Config,
  environment: Environment,
  { delivery, tags, ...given }: ContactChangeBody,
): Partial<GivenContact> {
  const to = delivery === undefined ? {} : readDelivery(sandboxMailDomain, environment, delivery);
  for (const param of ['birthday', 'work_anniversary'] as const)
    if (typeof given[param] === 'string' && !isDayOfYear(given[param]))
      throw new BestowError('parameter_invalid', { param, message: `${param} is a day that no calendar has.` });
  return { ...given, ...to, ...(tags !== undefined && { tags: [...new Set(tags)] }) };
}

/** @throws BestowError `parameter_invalid` */
function readDelivery(
  sandboxMailDomain: string,
  environment: Environment,
  delivery: ContactInputBody['delivery'],
): Pick<ContactValues, 'method' | 'address'> {
  const { method, address } = destination(delivery);
  if (method === 'link' || address === null) throw new BestowError('parameter_invalid', { param: 'delivery' });
  if (isImpossibleLiveAddress(environment, sandboxMailDomain, { method, address }))
    throw new BestowError('parameter_invalid', {
      param: 'delivery.email',
      message: `delivery.email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`,
    });
  return { method, address };
}

/** It is tomorrow already somewhere. */
const AHEAD_MS = 86_400_000;

/** @throws BestowError `parameter_invalid` for a birthday in the future */
export function requirePastBirthday(clock: Deps['clock'], { birthday }: Partial<ContactValues>): void {
  const isWhole = typeof birthday === 'string' && birthday.length === 'YYYY-MM-DD'.length;
  if (isWhole && birthday > new Date(clock.now() + AHEAD_MS).toISOString().slice(0, birthday.length))
    throw new BestowError('parameter_invalid', { param: 'birthday', message: 'birthday must not be in the future.' });
}
