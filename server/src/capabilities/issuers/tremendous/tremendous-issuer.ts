import { dateOf } from 'bestow-readers/time.ts';
import type { Card, CardAtIssuer, RemoteIssuer } from '../../../core/issuer/port.ts';
import { decodeId } from '../../../platform/base/ids.ts';
import type { AdapterDeps, IssuerScope } from '../adapter.ts';
import { answerOf, REFUSALS, type TremendousAccount, TremendousError } from './account.ts';
import { readBalance, testAccount } from './balance.ts';
import { issueOrder } from './issue-order.ts';
import { checkedLink, targetsOf } from './links.ts';
import { isNewOfProducts, tremendousOffers } from './offers.ts';
import { giftOf, listOrders, rewardOf } from './orders.ts';
import { selectFirstOpen } from './queries.ts';
import { factsOfEvent, factsOfOrder, factsOfReview } from './read-facts.ts';
import { reportReader } from './read-report.ts';
import { verifiedId } from './verify-call.ts';

/** The most reviews that one answer lists. */
const PAGE = 100;
const FORBIDDEN = 403;
/** A review that took 30 days ends by itself. */
const REVIEW_MS = 31 * 86_400_000;

/** The port on an account at Tremendous. A gift's card is a reward. Anyone who has its link can redeem it. */
export function tremendousIssuer(account: TremendousAccount, scope: IssuerScope, deps: AdapterDeps): RemoteIssuer {
  const { cipher, clock, database } = deps;
  const { settings } = account;
  const offers = settings.hasOwnChoice ? tremendousOffers(account, scope, deps) : undefined;
  const factsOfReport = reportReader(account);
  let tested: Promise<void> | undefined;
  /** Nothing is bought from an account with another currency or other fees. */
  const testOnce = (signal: AbortSignal) => {
    tested ??= testAccount(account, signal, false).catch((error) => {
      tested = undefined;
      throw error;
    });
    return tested;
  };
  return {
    isLocal: false,
    capabilities: { kind: 'link', currencies: [settings.currency], isReal: settings.isLive },
    requirements: () => undefined,
    offers,
    async issue(request, signal) {
      await testOnce(signal);
      return issueOrder(account, cipher, request, signal);
    },
    close: (card, signal) => cancel(account, card, signal),
    async present({ issued }, isRevealed) {
      const url = isRevealed && issued?.sealed != null ? cipher.decrypt(issued.sealed) : undefined;
      return { kind: 'redirect', targets: targetsOf(settings), url };
    },
    async reissue({ issued }: Card, signal) {
      const link = await newLink(account, issued?.providerId ?? '', clock.now(), signal);
      return link && cipher.encrypt(link);
    },
    verify: async (call) => verifiedId(call, settings.webhookSecrets),
    async ingest(body, signal) {
      if (offers !== undefined && (await isNewOfProducts(body, scope, deps))) await offers.refresh(signal);
      return factsOfEvent(account, body, signal);
    },
    async *reconcile(since, signal) {
      for await (const order of listOrders(account, since, signal)) yield* factsOfOrder(order);
      for await (const review of listReviews(account, since, signal)) yield* factsOfReview(review);
      const [open] = await selectFirstOpen(database.read, [scope.organizationId, scope.issuerId]);
      if (open?.ordered_at != null) yield* factsOfReport(open.ordered_at, signal);
    },
    async *listCards(since, signal) {
      for await (const order of listOrders(account, since, signal)) {
        if ((order.rewards?.length ?? 0) === 0) continue;
        const giftId = decodeId('gift', giftOf(order) ?? '');
        yield { providerId: rewardOf(order).id, giftId, isOpen: order.status === 'EXECUTED' };
      }
    },
    fundingBalance: (signal) => readBalance(account, signal),
    test: (signal) => testAccount(account, signal, true),
  };
}

/** Returns undefined if the reward has expired, or Tremendous does not allow a new link. */
async function newLink(
  { rewards, settings }: TremendousAccount,
  id: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { reward: now } = await answerOf(rewards.getReward(id, { signal }));
  if (now?.expires_at != null && dateOf(now.expires_at).getTime() <= nowMs) return undefined;
  try {
    const { reward } = await answerOf(rewards.generateRewardLink(id, { signal }));
    if (reward?.id !== id) throw new TremendousError('It answered with another reward.', 200);
    return checkedLink(settings, reward.link);
  } catch (error) {
    if (error instanceof TremendousError && (error.status === FORBIDDEN || REFUSALS.includes(error.status)))
      return undefined;
    throw error;
  }
}

/** Gives the value back to the balance. @returns false if it was redeemed, or Tremendous does not allow it */
async function cancel(
  { orders, rewards }: TremendousAccount,
  { providerId }: CardAtIssuer,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await answerOf(rewards.cancelReward(providerId, { signal }));
    return true;
  } catch (error) {
    if (!(error instanceof TremendousError) || !REFUSALS.includes(error.status)) throw error;
    const { reward } = await answerOf(rewards.getReward(providerId, { signal }));
    const { order } = await answerOf(orders.getOrder(reward.order_id ?? '', { signal }));
    return order.status === 'CANCELED';
  }
}

/** Lists the reviews that may have changed since a time. */
async function* listReviews({ fraudReviews }: TremendousAccount, since: Date, signal: AbortSignal) {
  const redeemedSince = new Date(since.getTime() - REVIEW_MS).toISOString();
  for (let offset = 0; ; ) {
    const { fraud_reviews: page } = await answerOf(
      fraudReviews.listFraudReviews(offset, PAGE, undefined, undefined, undefined, redeemedSince, undefined, {
        signal,
      }),
    );
    if (page.length === 0) return;
    yield* page;
    offset += page.length;
  }
}
