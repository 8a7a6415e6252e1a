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

/** Dependencies of acts and routes, made once in `create-deps.ts`. */
export interface Deps {
  config: Config;
  /** Links begin with this address, without a final slash; known once the server listens. */
  publicUrl(): string;
  clock: Clock;
  ids: IdGenerator;
  database: Database;
  jobs: Jobs;
  links: Links;
  /** Encrypts codes in the database. */
  seal: Seal;
  cards: CardIssuers;
  placementQueue: PlacementQueue;
  keyUse: KeyUseRecorder;
  rateLimits: RateLimits;
  signIn: SignIn;
  meter: Meter;
  /** Undefined if traces are off. */
  tracer: Tracer | undefined;
  log: Logger;
}
