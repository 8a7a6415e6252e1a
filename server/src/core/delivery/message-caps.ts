import { DAY_MS } from '../../platform/base/id-time.ts';
import { SendFailure } from '../../platform/messaging/send-failure.ts';
import type { Deps } from '../deps.ts';
import { MessageWindow } from './message-window.ts';
import type { MessageRow } from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * Counts the messages that this process sends. The caps limit abuse of a stolen key.
 *
 * @returns a function that uncounts the message, for messages that were certainly not sent
 * @throws SendFailure if the organization or the number has reached its cap; the message is retried later
 */
export type CountMessage = (
  message: Pick<MessageRow, 'organization_id' | 'channel' | 'address' | 'reminder_day'>,
) => () => void;

export function createMessageCaps({ config, clock }: Pick<Deps, 'config' | 'clock'>): CountMessage {
  const { perOrganizationPerHour, textsPerNumberPerDay } = config.messageCaps;
  const window = (max: number, lengthMs: number) => (max === 0 ? undefined : new MessageWindow(max, lengthMs, clock));
  const perOrganization = window(perOrganizationPerHour, HOUR_MS);
  const reminders = window(perOrganizationPerHour, HOUR_MS);
  const perNumber = window(textsPerNumberPerDay, DAY_MS);
  return ({ organization_id, channel, address, reminder_day }) => {
    // Reminders never take the room of gifts.
    const ofOrganization = reminder_day === null ? perOrganization : reminders;
    const ofNumber = channel === 'phone' ? perNumber : undefined;
    if (ofNumber?.isFull(address))
      throw new SendFailure(
        'The number reached its limit of text messages (TEXTS_PER_NUMBER_PER_DAY).',
        'unsent',
        false,
      );
    if (ofOrganization?.isFull(organization_id))
      throw new SendFailure(
        'The organization reached its limit of messages (MESSAGES_PER_ORGANIZATION_PER_HOUR).',
        'unsent',
        false,
      );
    const counts = [ofNumber?.add(address), ofOrganization?.add(organization_id)];
    return () => {
      for (const uncount of counts) uncount?.();
    };
  };
}
