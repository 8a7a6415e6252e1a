import type { Deps } from '../deps.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import type { MessageRow } from './queries.ts';
import { SendFailure } from './send-failure.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/**
 * Counts the messages that this process sends, so that a customer whose key was stolen cannot have a phone ring all day,
 * or send a provider's whole quota.
 *
 * @throws SendFailure where the organization or the number has had its messages; the message is tried again later
 */
export type CountMessage = (message: Pick<MessageRow, 'organization_id' | 'channel' | 'address'>) => void;

export function createMessageCaps({ config, clock }: Pick<Deps, 'config' | 'clock'>): CountMessage {
  const { perOrganizationPerHour, textsPerNumberPerDay } = config.messageCaps;
  const limiter = (most: number, seconds: number) =>
    most === 0 ? undefined : new RateLimiter('messages', { perSecond: most / seconds, burst: most }, clock);
  const perOrganization = limiter(perOrganizationPerHour, HOUR_SECONDS);
  const perNumber = limiter(textsPerNumberPerDay, DAY_SECONDS);
  return ({ organization_id, channel, address }) => {
    const ofNumber = channel === 'phone' ? perNumber : undefined;
    if (ofNumber?.look(address).isAllowed === false)
      throw new SendFailure('The number has had as many text messages as TEXTS_PER_NUMBER_PER_DAY allows.');
    if (perOrganization?.look(organization_id).isAllowed === false)
      throw new SendFailure('The organization has sent as many messages as MESSAGES_PER_ORGANIZATION_PER_HOUR allows.');
    ofNumber?.take(address);
    perOrganization?.take(organization_id);
  };
}
