import type { Channel } from './channel.ts';

/** Sends nothing; `/outbox` shows the message. */
export const outboxChannel: Channel = {
  name: 'outbox',
  send: async () => ({ outcome: 'accepted', providerId: undefined }),
  close: async () => undefined,
};
