import type { Channel } from './channel.ts';

/** Sends nothing: the message stays where a person can look at it, at `/outbox`. */
export const outboxChannel: Channel = {
  name: 'outbox',
  send: async () => ({ outcome: 'accepted', providerId: undefined }),
  close: async () => undefined,
};
