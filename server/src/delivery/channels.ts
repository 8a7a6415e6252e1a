import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Channels } from './channel.ts';
import { outboxChannel } from './outbox-channel.ts';

/** The channels that the settings ask for. Without settings, messages stay in the outbox; in production they wait. */
export async function openChannels(_config: Config, _log: Logger): Promise<Channels> {
  return { email: outboxChannel, phone: outboxChannel };
}
