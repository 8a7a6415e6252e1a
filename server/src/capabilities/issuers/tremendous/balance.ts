import type { FundingBalance } from '../../../core/issuer/port.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import { fundingAccount } from '../funding-account.ts';
import { answerOf, type TremendousAccount, TremendousError } from './account.ts';
import { readCatalog } from './read-catalog.ts';

/** Only a balance, or a credit limit, says what is left. */
export async function readBalance(
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

/**
 * Finds out whether the account is as the settings say.
 *
 * @param withProducts also whether there is something to choose @throws OperatorError
 */
export async function testAccount(
  account: TremendousAccount,
  signal: AbortSignal,
  withProducts: boolean,
): Promise<void> {
  const { campaigns, settings } = account;
  try {
    await readBalance(account, signal);
    if (withProducts && settings.hasOwnChoice && (await readCatalog(account, signal)).length === 0)
      throw new OperatorError(`Tremendous has none of these products in ${settings.currency}: nothing can be chosen.`);
    if (settings.campaign === undefined) return;
    const { campaign } = await answerOf(campaigns.getCampaign(settings.campaign, { signal }));
    // Each gift says that no fees are taken from its value.
    if (campaign?.fee_charged_to === 'RECIPIENT')
      throw new OperatorError('The campaign takes fees from the recipient. Let it charge them to the sender.');
  } catch (error) {
    if (!(error instanceof TremendousError)) throw error;
    if (error.status === 401) throw new OperatorError('Tremendous does not know the api_key.');
    if (error.status === 404) throw new OperatorError(`Tremendous has no campaign ${settings.campaign}.`);
    throw new OperatorError('Tremendous did not answer.', { cause: error });
  }
}
