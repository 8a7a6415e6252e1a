import type { Logger } from 'pino';
import type { ResolveTxt } from '../capabilities/brands/resolve-txt.ts';
import type { Issuers } from '../capabilities/issuers/open-issuers.ts';
import type { PreviewTokens } from '../capabilities/mcp/preview-tokens.ts';
import type { CheckpointKeys } from '../capabilities/seals/checkpoint-keys.ts';
import type { StripeClient } from '../capabilities/stripe/open-stripe.ts';
import type { Clock } from '../platform/base/clock.ts';
import type { IdGenerator } from '../platform/base/ids.ts';
import type { Meter } from '../platform/base/meter.ts';
import type { Tracer } from '../platform/base/tracer.ts';
import type { Config } from '../platform/configuration/config.ts';
import type { Database } from '../platform/database/connections.ts';
import type { Seal } from '../platform/encryption/seal.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { RateLimits } from '../platform/rate-limits/rate-limit.ts';
import type { Screening } from './issuer/screening.ts';
import type { Links } from './redemption/links.ts';

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
