import { DAY_MS } from '../base/id-time.ts';
import type { Deps } from '../deps.ts';
import { SendFailure } from '../messaging/send-failure.ts';
import { MessageWindow } from './message-window.ts';
import type { MessageRow } from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * Counts the messages that this process sends, so that a customer whose key was stolen cannot have a phone ring all day,
 * or send a provider's whole quota.
 *
 * @returns takes the message out of the count again: it certainly did not go out
 * @throws SendFailure where the organization or the number has had its messages; the message is tried again later
 */
export type CountMessage = (message: Pick<MessageRow, 'organization_id' | 'channel' | 'address'>) => () => void;

export function createMessageCaps({ config, clock }: Pick<Deps, 'config' | 'clock'>): CountMessage {
  const { perOrganizationPerHour, textsPerNumberPerDay } = config.messageCaps;
  const window = (most: number, lengthMs: number) =>
    most === 0 ? undefined : new MessageWindow(most, lengthMs, clock);
  const perOrganization = window(perOrganizationPerHour, HOUR_MS);
  const perNumber = window(textsPerNumberPerDay, DAY_MS);
  return ({ organization_id, channel, address }) => {
    const ofNumber = channel === 'phone' ? perNumber : undefined;
    if (ofNumber?.isFull(address))
      throw new SendFailure('The number has had as many text messages as TEXTS_PER_NUMBER_PER_DAY allows.', 'unsent');
    if (perOrganization?.isFull(organization_id))
      throw new SendFailure(
        'The organization has sent as many messages as MESSAGES_PER_ORGANIZATION_PER_HOUR allows.',
        'unsent',
      );
    const counts = [ofNumber?.add(address), perOrganization?.add(organization_id)];
    return () => {
      for (const takeOut of counts) takeOut?.();
    };
  };
}
