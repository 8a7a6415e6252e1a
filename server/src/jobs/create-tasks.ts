import { warnOfLowBalances } from '../balances/warn-of-low-balances.ts';
import { errorMessage } from '../base/error-code.ts';
import { createAcceptedMessages } from '../delivery/accepted-messages.ts';
import { createMessageCaps } from '../delivery/message-caps.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { Deps } from '../deps.ts';
import type { Channels } from '../messaging/channel.ts';
import { deleteOldCodes } from '../notices/delete-old-codes.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { completeOrder } from '../orders/complete-order.ts';
import { forgetSessions } from '../portal/sign-in/forget-sessions.ts';
import { pruneRequests } from '../requests/prune-requests.ts';
import { forgetOldTries } from '../sandbox/record-first-try.ts';
import type { QueueName, Tasks } from './tasks.ts';

/** Connects each task to its act. */
export function createTasks(deps: Deps, channels: Channels): Tasks {
  const sendDeps = { ...deps, accepted: createAcceptedMessages(deps), countMessage: createMessageCaps(deps) };
  return {
    completeOrder: ({ organizationId, environment, orderId }) =>
      completeOrder(deps, { organizationId, environment }, orderId),
    sendMessage: (job) => sendMessage(sendDeps, channels, job),
    sendNotice: (job) => sendNotice(deps, channels.notice, job),
    everyMinute: () => doEach([deleteOldCodes, warnOfLowBalances, pruneRequests, forgetOldTries, forgetSessions], deps),
  };
}

/**
 * Runs all acts one after another, also after a failure.
 *
 * @throws the error, or an AggregateError of several
 */
async function doEach(acts: readonly ((deps: Deps) => Promise<void>)[], deps: Deps): Promise<void> {
  const errors: unknown[] = [];
  for (const act of acts) await act(deps).catch((error) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, errors.map(errorMessage).join('; '));
  if (errors.length === 1) throw errors[0];
}

/** The queues that this process can work on; messages of channels without a provider wait. */
export function queuesOf(channels: Channels): QueueName[] {
  const messages = (['email', 'phone', 'notice'] as const).filter((channel) => channels[channel] !== undefined);
  return ['completeOrder', ...messages, 'everyMinute'];
}
