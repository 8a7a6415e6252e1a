import {
  CampaignsApi,
  Configuration,
  Environments,
  FraudReviewsApi,
  FundingSourcesApi,
  OrdersApi,
  ProductsApi,
  ReportsApi,
  RewardsApi,
} from 'tremendous';
import type { Adapter } from '../adapter.ts';
import { readSettings } from './settings.ts';
import { tremendousIssuer } from './tremendous-issuer.ts';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 20_000_000;

/** Rewards of Tremendous, which recipients exchange for a gift card or money. The library is loaded with this module. */
export const tremendous: Adapter = {
  create(values, scope, deps) {
    const settings = readSettings(values);
    const { apiBase, apiKey, isLive } = settings;
    const configuration = new Configuration({
      accessToken: apiKey,
      basePath: apiBase === undefined ? Environments[isLive ? 'production' : 'testflight'] : `${apiBase}/api/v2`,
      baseOptions: { timeout: TIMEOUT_MS, maxRedirects: 0, maxContentLength: MOST_BYTES },
    });
    const account = {
      settings,
      orders: new OrdersApi(configuration),
      rewards: new RewardsApi(configuration),
      fundingSources: new FundingSourcesApi(configuration),
      campaigns: new CampaignsApi(configuration),
      products: new ProductsApi(configuration),
      fraudReviews: new FraudReviewsApi(configuration),
      reports: new ReportsApi(configuration),
    };
    return tremendousIssuer(account, scope, deps);
  },
};
