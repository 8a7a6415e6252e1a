import { eraseOldRecipients } from '../../capabilities/erasure/erase-old-recipients.ts';
import { deleteFinderCodes, hasGifts } from '../../capabilities/finder/find-gifts.ts';
import { forgetOldBatches } from '../../capabilities/gift-batches/forget-old-batches.ts';
import { workOnBatch } from '../../capabilities/gift-batches/work-on-batch.ts';
import { expireRequests } from '../../capabilities/gift-requests/expire-requests.ts';
import { warnOfLowStock } from '../../capabilities/issuers/own-codes/warn-of-low-stock.ts';
import { reconcileIssuers } from '../../capabilities/issuers/reconcile-issuers.ts';
import { watchFunding } from '../../capabilities/issuers/watch-funding.ts';
import { forgetConnections } from '../../capabilities/oauth/forget-connections.ts';
import { forgetOldPreviews } from '../../capabilities/previews/forget-previews.ts';
import { forgetOldProviderEvents, workOnEvent } from '../../capabilities/provider-events/work-on-event.ts';
import { sendReminders } from '../../capabilities/reminders/send-reminders.ts';
import { pruneRequests } from '../../capabilities/request-log/prune-requests.ts';
import { sealChains } from '../../capabilities/seals/seal-chains.ts';
import { STRIPE } from '../../capabilities/stripe/event-provider.ts';
import { handleStripeEvent } from '../../capabilities/topups/handle-stripe-event.ts';
import { reconcileStripe } from '../../capabilities/topups/reconcile.ts';
import { startAutomaticTopup, startAutomaticTopups } from '../../capabilities/topups/start-automatic-topups.ts';
import { workOnTopup } from '../../capabilities/topups/work-on-topup.ts';
import { forgetOldAttempts, warnOfFailures } from '../../capabilities/webhooks/warn-of-failures.ts';
import { sendYearlyGifts } from '../../capabilities/yearly-gifts/send-yearly-gifts.ts';
import { collectWhatIsOwed } from '../../core/balances/collect-what-is-owed.ts';
import { warnOfLowBalances } from '../../core/balances/warn-of-low-balances.ts';
import { forgetOldSpending } from '../../core/caps/forget-old-spending.ts';
import { forgetHolders } from '../../core/cards/forget-holders.ts';
import { forgetIssuerEvents, recordIssuerEvent } from '../../core/cards/record-issuer-event.ts';
import { createAcceptedMessages } from '../../core/delivery/accepted-messages.ts';
import { createMessageCaps } from '../../core/delivery/message-caps.ts';
import { sendMessage } from '../../core/delivery/send-message.ts';
import { checkDomains } from '../../core/face/sender-domain.ts';
import { announceExpiry } from '../../core/gifts/cancel/announce-expiry.ts';
import { expireGifts } from '../../core/gifts/cancel/expire-gifts.ts';
import { finishClaimLater } from '../../core/gifts/claim/finish-claim.ts';
import { sendDueGifts } from '../../core/gifts/schedule/send-waiting.ts';
import { deleteOldCodes } from '../../core/notices/delete-old-codes.ts';
import { sendNotice } from '../../core/notices/send-notice.ts';
import { completeOrder } from '../../core/orders/complete-order.ts';
import { forgetOldTries } from '../../core/sandbox/record-first-try.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import { forgetOldEvents } from '../../platform/events/forget-old-events.ts';
import { forgetOldRequests } from '../../platform/idempotency/forget-old-requests.ts';
import type { Tasks } from '../../platform/jobs/tasks.ts';
import type { Channels } from '../../platform/messaging/channel.ts';
import type { AllDeps } from '../deps.ts';
import { forgetSessions } from '../portal/sign-in/forget-sessions.ts';
import { finishSignInChanges } from '../portal/sign-in/record-sign-in-change.ts';

/** Connects each task to its act, for each server that has jobs: the acts use that server directly. */
export function createTasks(allServers: AllDeps, channels: Channels): Tasks[] {
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
      everyMinute: () =>
        doEach([
          ...bindByTheClock(byTheClock, deps, index),
          ...bind(atAnyTime, deps),
          ...(hasPeople ? bindOfPeople(allServers, index) : []),
        ]),
    };
  });
}

/** Each deletes, ends, sends or reminds by date: never by a clock that may be wrong. */
const byTheClock = [
  // Sends.
  sendDueGifts,
  sendYearlyGifts,
  sendReminders,
  announceExpiry,
  // End, and give money back.
  expireGifts,
  expireRequests,
  // Erase.
  eraseOldRecipients,
  forgetHolders,
  pruneRequests,
  forgetOldRequests,
  forgetOldEvents,
  forgetOldTries,
  forgetOldBatches,
  forgetOldPreviews,
  forgetOldSpending,
  forgetOldAttempts,
  forgetIssuerEvents,
  // Warns after some hours, and charges after a pause.
  warnOfFailures,
  startAutomaticTopups,
];
/** Each looks at what is there, and at most asks again too early. */
const atAnyTime = [warnOfLowBalances, warnOfLowStock, sealChains, reconcileIssuers, collectWhatIsOwed];
const ofPeopleByTheClock = [
  deleteOldCodes,
  deleteFinderCodes,
  forgetSessions,
  forgetConnections,
  forgetOldProviderEvents,
];
const ofPeopleAtAnyTime = [
  finishSignInChanges,
  reconcileStripe,
  // One balance may pay the cards of several servers.
  watchFunding,
  checkDomains,
];

/** Tasks in the database of people. */
export const createHomeTasks = (deps: AllDeps, tasks: Tasks): Tasks => ({
  ...tasks,
  everyMinute: () => doEach(bindOfPeople(deps, deps.database.servers.length)),
});

type Act = (deps: AllDeps) => Promise<void>;

const bind = (acts: readonly Act[], deps: AllDeps) => acts.map((act) => () => act(deps));

/** Asks before each act, because the one before may have taken long. */
const bindByTheClock = (acts: readonly Act[], deps: AllDeps, server: number) =>
  acts.map((act) => async () => {
    if (await deps.clockWatch.mayActByTime(server)) await act(deps);
  });

const bindOfPeople = (deps: AllDeps, server: number) => [
  ...bindByTheClock(ofPeopleByTheClock, deps, server),
  ...bind(ofPeopleAtAnyTime, deps),
];

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
