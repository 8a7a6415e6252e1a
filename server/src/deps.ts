import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import type { IdGenerator } from './base/ids.ts';
import type { Meter } from './base/meter.ts';
import type { Tracer } from './base/tracer.ts';
import type { ResolveTxt } from './brands/resolve-txt.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connections.ts';
import type { Issuers } from './issuers/open-issuers.ts';
import type { Screening } from './issuers/screening/screening.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { PreviewTokens } from './mcp/preview-tokens.ts';
import type { Seal } from './notices/seal.ts';
import type { RateLimits } from './rate-limits/rate-limit.ts';
import type { Links } from './redemption/links.ts';
import type { CheckpointKeys } from './seals/checkpoint-keys.ts';
import type { StripeClient } from './stripe/open-stripe.ts';

/** Dependencies of acts and routes, made once in `create-deps.ts`. */
export interface Deps {
  config: Config;
  /** Links begin with this address, without a final slash; known once the server listens. */
  publicUrl(): string;
  clock: Clock;
  ids: IdGenerator;
  database: Database;
  jobs: Jobs;
  /** Jobs in the database of people; undefined if it is the same. */
  homeJobs: Jobs | undefined;
  links: Links;
  /** The secret path of the outbox page, if the service has one. */
  outboxPath: string;
  /** Encrypts codes in the database. */
  seal: Seal;
  /** Sign the checkpoints of ledgers. */
  checkpointKeys: CheckpointKeys;
  issuers: Issuers;
  /** Asks DNS. */
  resolveTxt: ResolveTxt;
  /** Show that an agent previewed an order. */
  previewTokens: PreviewTokens;
  rateLimits: RateLimits;
  /** Undefined if Stripe is not configured. */
  stripe: StripeClient | undefined;
  /** Undefined if claims are not screened. */
  screening: Screening | undefined;
  meter: Meter;
  /** Undefined if traces are off. */
  tracer: Tracer | undefined;
  log: Logger;
}
