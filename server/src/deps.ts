import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import type { IdGenerator } from './base/ids.ts';
import type { Meter } from './base/meter.ts';
import type { Tracer } from './base/tracer.ts';
import type { CardIssuers } from './cards/issuer.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connections.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { KeyUseRecorder } from './keys/record-key-use.ts';
import type { Seal } from './notices/seal.ts';
import type { PlacementQueue } from './orders/placement-queue.ts';
import type { SignIn } from './portal/sign-in/sign-in.ts';
import type { RateLimits } from './rate-limits/rate-limit.ts';
import type { Links } from './redemption/links.ts';

/** What acts and routes work with: made once in `create-deps.ts`, passed by hand. */
export interface Deps {
  config: Config;
  /** The address that links begin with, without a final slash; known once the server listens. */
  publicUrl(): string;
  clock: Clock;
  ids: IdGenerator;
  database: Database;
  jobs: Jobs;
  links: Links;
  /** Keeps codes unreadable in the database. */
  seal: Seal;
  cards: CardIssuers;
  placementQueue: PlacementQueue;
  keyUse: KeyUseRecorder;
  rateLimits: RateLimits;
  /** The portal's. */
  signIn: SignIn;
  meter: Meter;
  /** Undefined where nobody follows requests. */
  tracer: Tracer | undefined;
  log: Logger;
}
