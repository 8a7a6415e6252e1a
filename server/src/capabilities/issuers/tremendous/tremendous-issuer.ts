import type { Card, CardAtIssuer, FundingBalance, RemoteIssuer } from '../../../core/issuer/port.ts';
import { decodeId } from '../../../platform/base/ids.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import type { AdapterDeps, IssuerScope } from '../adapter.ts';
import { fundingAccount } from '../funding-account.ts';
import { answerOf, REFUSALS, type TremendousAccount, TremendousError } from './account.ts';
import { issueOrder } from './issue-order.ts';
import { checkedLink, targetsOf } from './links.ts';
import { isNewOfProducts, tremendousOffers } from './offers.ts';
import { giftOf, listOrders, rewardOf } from './orders.ts';
import { selectFirstOpen } from './queries.ts';
import { readCatalog } from './read-catalog.ts';
import { factsOfEvent, factsOfOrder, factsOfReview } from './read-facts.ts';
import { factsOfReport } from './read-report.ts';
import { verifiedId } from './verify-call.ts';

/** The most reviews that one answer lists. */
const PAGE = 100;
/** A review that took 30 days ends by itself. */
const REVIEW_MS = 31 * 86_400_000;

/** The port on an account at Tremendous. A gift's card is a reward, which works for whoever has its link. */
export function tremendousIssuer(account: TremendousAccount, scope: IssuerScope, deps: AdapterDeps): RemoteIssuer {
  const { cipher, database } = deps;
  const { settings } = account;
  const offers = settings.hasOwnChoice ? tremendousOffers(account, scope, deps) : undefined;
  return {
    isLocal: false,
    capabilities: { kind: 'link', currencies: [settings.currency], isReal: settings.isLive },
    requirements: () => undefined,
    offers,
    issue: (request, signal) => issueOrder(account, cipher, request, signal),
    close: (card, signal) => cancel(account, card, signal),
    async present({ issued }, isRevealed) {
      const url = isRevealed && issued?.sealed != null ? cipher.decrypt(issued.sealed) : undefined;
      return { kind: 'redirect', targets: targetsOf(settings), url };
    },
    async reissue({ issued }: Card, signal) {
      const { reward } = await answerOf(account.rewards.generateRewardLink(issued?.providerId ?? '', { signal }));
      if (reward?.id !== issued?.providerId) throw new TremendousError('It answered with another reward.', 200);
      return cipher.encrypt(checkedLink(settings, reward.link));
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
      if (open?.ordered_at != null) yield* factsOfReport(account, open.ordered_at, signal);
    },
    async *listCards(since, signal) {
      for await (const order of listOrders(account, since, signal)) {
        if ((order.rewards?.length ?? 0) === 0) continue;
        const giftId = decodeId('gift', giftOf(order) ?? '');
        yield { providerId: rewardOf(order).id, giftId, isOpen: order.status === 'EXECUTED' };
      }
    },
    fundingBalance: (signal) => readBalance(account, signal),
    test: (signal) => test(account, signal),
  };
}

/** Gives the value back to the balance. Tremendous refuses it for rewards that are canceled or redeemed, and for some others. */
async function cancel(
  { rewards }: TremendousAccount,
  { providerId }: CardAtIssuer,
  signal: AbortSignal,
): Promise<void> {
  try {
    await answerOf(rewards.cancelReward(providerId, { signal }));
  } catch (error) {
    if (!(error instanceof TremendousError) || !REFUSALS.includes(error.status)) throw error;
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

/** Only a balance, or a credit limit, says what is left. */
async function readBalance(
  { fundingSources, settings }: TremendousAccount,
  signal: AbortSignal,
): Promise<FundingBalance | undefined> {
  const { funding_sources } = await answerOf(fundingSources.listFundingSources({ signal }));
  const named = funding_sources.find(({ id }) => id === settings.fundingSource);
  const source = named ?? funding_sources.find(({ method }) => method === 'balance');
  if (source === undefined || (named === undefined && settings.fundingSource !== 'BALANCE'))
    throw new OperatorError(`Tremendous has no funding source ${settings.fundingSource}.`);
  // The list may be some minutes old.
  const { funding_source } = await answerOf(fundingSources.getFundingSource(source.id, { signal }));
  const { available_amount, currency_code } = funding_source.meta;
  if (available_amount === undefined) return undefined;
  if (currency_code !== undefined && currency_code !== settings.currency)
    throw new OperatorError(
      `The account at Tremendous is in ${currency_code}, but the setting currency is ${settings.currency}.`,
    );
  return {
    account: fundingAccount('tremendous', settings.apiKey),
    availableCents: Math.round(available_amount * 100),
  };
}

async function test(account: TremendousAccount, signal: AbortSignal): Promise<void> {
  const { campaigns, settings } = account;
  try {
    await readBalance(account, signal);
    if (settings.campaign !== undefined) await answerOf(campaigns.getCampaign(settings.campaign, { signal }));
    if (settings.hasOwnChoice && (await readCatalog(account, signal)).length === 0)
      throw new OperatorError(`Tremendous has none of these products in ${settings.currency}: nothing can be chosen.`);
  } catch (error) {
    if (!(error instanceof TremendousError)) throw error;
    if (error.status === 401) throw new OperatorError('Tremendous does not know the api_key.');
    if (error.status === 404) throw new OperatorError(`Tremendous has no campaign ${settings.campaign}.`);
    throw new OperatorError('Tremendous did not answer.', { cause: error });
  }
}
