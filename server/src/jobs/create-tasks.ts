import { createAcceptedMessages } from '../delivery/accepted-messages.ts';
import type { Channels } from '../delivery/channel.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { Deps } from '../deps.ts';
import { completeOrder } from '../orders/complete-order.ts';
import type { QueueName, Tasks } from './tasks.ts';

/** The list of what the worker can do. */
export function createTasks(deps: Deps, channels: Channels): Tasks {
  const sendDeps = { ...deps, accepted: createAcceptedMessages(deps) };
  return {
    completeOrder: ({ organizationId, environment, orderId }) =>
      completeOrder(deps, { organizationId, environment }, orderId),
    sendMessage: (job) => sendMessage(sendDeps, channels, job),
  };
}

/** The queues that this process can work on: messages of a channel that has no provider wait. */
export function queuesOf(channels: Channels): QueueName[] {
  const messages = (['email', 'phone'] as const).filter((channel) => channels[channel] !== undefined);
  return ['completeOrder', ...messages];
}
