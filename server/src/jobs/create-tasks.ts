import { warnOfLowBalances } from '../balances/warn-of-low-balances.ts';
import { createAcceptedMessages } from '../delivery/accepted-messages.ts';
import type { Channels } from '../delivery/channel.ts';
import { createMessageCaps } from '../delivery/message-caps.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { Deps } from '../deps.ts';
import { deleteOldCodes } from '../notices/delete-old-codes.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { completeOrder } from '../orders/complete-order.ts';
import { forgetSessions } from '../portal/sign-in/forget-sessions.ts';
import { pruneRequests } from '../requests/prune-requests.ts';
import { forgetOldTries } from '../sandbox/record-first-try.ts';
import type { QueueName, Tasks } from './tasks.ts';

/** The list of what the worker can do. */
export function createTasks(deps: Deps, channels: Channels): Tasks {
  const sendDeps = { ...deps, accepted: createAcceptedMessages(deps), countMessage: createMessageCaps(deps) };
  return {
    completeOrder: ({ organizationId, environment, orderId }) =>
      completeOrder(deps, { organizationId, environment }, orderId),
    sendMessage: (job) => sendMessage(sendDeps, channels, job),
    sendNotice: (job) => sendNotice(deps, channels.notice, job),
    async everyMinute() {
      await deleteOldCodes(deps);
      await warnOfLowBalances(deps);
      await pruneRequests(deps);
      await forgetOldTries(deps);
      await forgetSessions(deps);
    },
  };
}

/** The queues that this process can work on: messages of a channel that has no provider wait. */
export function queuesOf(channels: Channels): QueueName[] {
  const messages = (['email', 'phone', 'notice'] as const).filter((channel) => channels[channel] !== undefined);
  return ['completeOrder', ...messages, 'everyMinute'];
}
