import type {
  CampaignsApi,
  FraudReviewsApi,
  FundingSourcesApi,
  OrdersApi,
  ProductsApi,
  ReportsApi,
  RewardsApi,
} from 'tremendous';
import type { TremendousSettings } from './settings.ts';

/** An organization's account at Tremendous. */
export interface TremendousAccount {
  settings: TremendousSettings;
  orders: OrdersApi;
  rewards: RewardsApi;
  fundingSources: FundingSourcesApi;
  campaigns: CampaignsApi;
  products: ProductsApi;
  fraudReviews: FraudReviewsApi;
  reports: ReportsApi;
}

/** Bad parameters, not enough funds, another order under this number, or amounts that no product has. */
export const REFUSALS: readonly (number | undefined)[] = [400, 402, 409, 422];

/** A call that Tremendous refused, or did not answer. */
export class TremendousError extends Error {
  override name = 'TremendousError';
  /** Of the answer; undefined without one. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/**
 * Returns what a call was answered with. The client's errors hold the API key, so others take their place.
 *
 * @throws TremendousError
 */
export async function answerOf<Answer>(call: Promise<{ data: Answer }>): Promise<Answer> {
  let data: Answer | undefined | null;
  try {
    ({ data } = await call);
  } catch (error) {
    const { message, response } = error as { message?: unknown; response?: { status?: number; data?: unknown } };
    const { errors } = (response?.data ?? {}) as { errors?: { message?: unknown } };
    throw new TremendousError(`Tremendous: ${String(errors?.message ?? message)}`, response?.status);
  }
  if (typeof data !== 'object' || data === null) throw new TremendousError('Tremendous answered with nothing.', 200);
  return data;
}
