import type {
  CreateCampaign200Response,
  GetFraudReview200Response,
  GetFundingSource200Response,
  GetProductResponse,
  ListBalanceTransactions200Response,
  ListCampaigns200Response,
  ListFraudReviews200Response,
  ListFundingSources200Response,
  ListProductsResponse,
} from 'tremendous';
import { answer, type Handlers, isWithin, page } from './calls.ts';
import { found } from './refusal.ts';

/** Whether a comma-separated parameter names one of these; true without the parameter. */
function isNamed(query: URLSearchParams, name: string, values: readonly string[]): boolean {
  const asked = query.get(name)?.split(',');
  return asked?.some((one) => values.includes(one.trim())) ?? true;
}

/** Operations that change nothing. */
export const readHandlers: Handlers = {
  'GET /funding_sources': (state) =>
    answer<ListFundingSources200Response>({ funding_sources: [state.fundingSource()] }),
  'GET /funding_sources/ID': (state, { id }) => {
    const funding_source = found(state.hasFundingSource(id) ? state.fundingSource() : undefined);
    return answer<GetFundingSource200Response>({ funding_source });
  },
  'GET /products': ({ products }, { query }) =>
    answer<ListProductsResponse>({
      products: [...products.values()].filter(
        ({ countries, currency_codes, subcategory }) =>
          isNamed(
            query,
            'country',
            countries.map(({ abbr }) => abbr),
          ) &&
          isNamed(query, 'currency', currency_codes) &&
          isNamed(query, 'subcategory', subcategory === undefined ? [] : [subcategory]),
      ),
    }),
  'GET /products/ID': ({ products }, { id }) => answer<GetProductResponse>({ product: found(products.get(id)) }),
  'GET /campaigns': ({ campaigns }) => answer<ListCampaigns200Response>({ campaigns: [...campaigns.values()] }),
  'GET /campaigns/ID': ({ campaigns }, { id }) =>
    answer<CreateCampaign200Response>({ campaign: found(campaigns.get(id)) }),
  'GET /balance_transactions': ({ transactions }, { query }) => {
    const matching = transactions.filter(({ created_at }) => isWithin(query, 'created_at', created_at)).reverse();
    return answer<ListBalanceTransactions200Response>({ transactions: page(matching, query, { default: 10 }) });
  },
  'GET /fraud_reviews': ({ reviews }, { query }) => {
    const status = query.get('status');
    const matching = [...reviews.values()]
      .filter(
        (review) =>
          (status === null || review.status === status) &&
          isWithin(query, 'created_at', review.reward?.created_at) &&
          isWithin(query, 'redeemed_at', review.redeemed_at),
      )
      .reverse()
      .map(({ risk, related_rewards, ...listed }) => listed);
    return answer<ListFraudReviews200Response>({
      fraud_reviews: page(matching, query, { default: 10 }),
      total_count: matching.length,
    });
  },
  'GET /fraud_reviews/ID': ({ reviews }, { id }) =>
    answer<GetFraudReview200Response>({ fraud_review: found(reviews.get(id)) }),
};
