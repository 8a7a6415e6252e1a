import { expireRequests } from '../approvals/expire-requests.ts';
import { collectWhatIsOwed } from '../balances/collect-what-is-owed.ts';
import { warnOfLowBalances } from '../balances/warn-of-low-balances.ts';
import { errorMessage } from '../base/error-code.ts';
import { forgetOldBatches } from '../batches/forget-old-batches.ts';
import { workOnBatch } from '../batches/work-on-batch.ts';
import { checkDomains } from '../brands/sender-domain.ts';
import { forgetOldSpending } from '../caps/forget-old-spending.ts';
import { forgetHolders } from '../cards/forget-holders.ts';
import { reconcileIssuers } from '../cards/reconcile-issuers.ts';
import { forgetIssuerEvents, recordIssuerEvent } from '../cards/record-issuer-event.ts';
import { createAcceptedMessages } from '../delivery/accepted-messages.ts';
import { createMessageCaps } from '../delivery/message-caps.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { Deps } from '../deps.ts';
import { forgetOldEvents } from '../events/forget-old-events.ts';
import { deleteFinderCodes, hasGifts } from '../finder/find-gifts.ts';
import { announceExpiry } from '../gifts/announce-expiry.ts';
import { eraseOldRecipients } from '../gifts/erase-old-recipients.ts';
import { expireGifts } from '../gifts/expire-gifts.ts';
import { finishClaimLater } from '../gifts/finish-claim.ts';
import { sendDueGifts } from '../gifts/send-waiting.ts';
import { forgetOldRequests } from '../idempotency/forget-old-requests.ts';
import { warnOfLowStock } from '../issuers/own-codes/warn-of-low-stock.ts';
import { watchFunding } from '../issuers/watch-funding.ts';
import type { Tasks } from '../jobs/tasks.ts';
import type { Channels } from '../messaging/channel.ts';
import { deleteOldCodes } from '../notices/delete-old-codes.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { forgetConnections } from '../oauth/forget-connections.ts';
import { completeOrder } from '../orders/complete-order.ts';
import { forgetSessions } from '../portal/sign-in/forget-sessions.ts';
import { finishSignInChanges } from '../portal/sign-in/record-sign-in-change.ts';
import { forgetOldProviderEvents, workOnEvent } from '../provider-events/work-on-event.ts';
import { sendReminders } from '../reminders/send-reminders.ts';
import { pruneRequests } from '../requests/prune-requests.ts';
import { forgetOldTries } from '../sandbox/record-first-try.ts';
import { sealChains } from '../seals/seal-chains.ts';
import { STRIPE } from '../stripe/event-provider.ts';
import { handleStripeEvent } from '../topups/handle-stripe-event.ts';
import { reconcileStripe } from '../topups/reconcile.ts';
import { startAutomaticTopup, startAutomaticTopups } from '../topups/start-automatic-topups.ts';
import { workOnTopup } from '../topups/work-on-topup.ts';
import { forgetOldAttempts, warnOfFailures } from '../webhooks/warn-of-failures.ts';

/** Connects each task to its act, for each server that has jobs: the acts use that server directly. */
export function createTasks(allServers: Deps, channels: Channels): Tasks[] {
  const countMessage = createMessageCaps(allServers);
  const handlers = { [STRIPE]: handleStripeEvent(allServers) };
  return allServers.database.servers.map((database, index) => {
    const deps = { ...allServers, database };
    const sendDeps = { ...deps, accepted: createAcceptedMessages(deps), countMessage };
    const hasPeople = index === 0 && allServers.homeJobs === undefined;
    return {
      completeOrder: ({ organizationId, environment, orderId }) =>
        completeOrder(deps, { organizationId, environment }, orderId),
      finishClaim: ({ organizationId, environment, giftId }) =>
        finishClaimLater(deps, { organizationId, environment }, giftId),
      recordIssuerEvent: ({ eventId, ...source }) => recordIssuerEvent(deps, source, eventId),
      sendMessage: (job) => sendMessage(sendDeps, channels, job),
      sendNotice: (job) => sendNotice(deps, channels, job, (address) => hasGifts(deps, address)),
      // An event may be about an organization on any server.
      providerEvent: (job) => workOnEvent(allServers, handlers, job),
      topup: ({ organizationId, topupId }) =>
        topupId === undefined ? startAutomaticTopup(deps, organizationId) : workOnTopup(deps, organizationId, topupId),
      batch: (job) => workOnBatch(deps, job),
      everyMinute: () => doEach([...bind(everyMinute, deps), ...(hasPeople ? bind(ofPeople, allServers) : [])]),
    };
  });
}

const everyMinute = [
  sendDueGifts,
  warnOfLowBalances,
  warnOfLowStock,
  announceExpiry,
  expireGifts,
  eraseOldRecipients,
  sendReminders,
  pruneRequests,
  forgetOldRequests,
  forgetOldEvents,
  forgetOldTries,
  forgetOldBatches,
  expireRequests,
  forgetOldSpending,
  sealChains,
  warnOfFailures,
  forgetOldAttempts,
  reconcileIssuers,
  forgetIssuerEvents,
  forgetHolders,
  collectWhatIsOwed,
  startAutomaticTopups,
];
const ofPeople = [
  deleteOldCodes,
  deleteFinderCodes,
  forgetSessions,
  forgetConnections,
  finishSignInChanges,
  forgetOldProviderEvents,
  reconcileStripe,
  // One balance may pay the cards of several servers.
  watchFunding,
  checkDomains,
];

/** Tasks in the database of people. */
export const createHomeTasks = (deps: Deps, tasks: Tasks): Tasks => ({
  ...tasks,
  everyMinute: () => doEach(bind(ofPeople, deps)),
});

const bind = (acts: readonly ((deps: Deps) => Promise<void>)[], deps: Deps) => acts.map((act) => () => act(deps));

/**
 * Runs all acts one after another, also after a failure.
 *
 * @throws the error, or an AggregateError of several
 */
async function doEach(acts: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const act of acts) await act().catch((error) => errors.push(error));
  if (errors.length > 1) throw new AggregateError(errors, errors.map(errorMessage).join('; '));
  if (errors.length === 1) throw errors[0];
}
