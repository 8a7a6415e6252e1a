import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import type { IdGenerator } from './base/ids.ts';
import type { Meter } from './base/meter.ts';
import type { Tracer } from './base/tracer.ts';
import type { Config } from './configuration/config.ts';
import type { Database } from './database/connections.ts';
import type { Cipher } from './encryption/cipher.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { ClockWatch } from './jobs/watch-clocks.ts';
import type { RateLimits } from './rate-limits/rate-limit.ts';

/** What every room uses, made once per process. */
export interface PlatformDeps {
  config: Config;
  /** Links begin with this address, without a final slash; known once the server listens. */
  publicUrl(): string;
  clock: Clock;
  /** What a wrong clock may not decide. */
  clockWatch: ClockWatch;
  ids: IdGenerator;
  database: Database;
  jobs: Jobs;
  /** Jobs in the database of people; undefined if it is the same. */
  homeJobs: Jobs | undefined;
  /** Encrypts codes in the database. */
  cipher: Cipher;
  rateLimits: RateLimits;
  meter: Meter;
  /** Undefined if traces are off. */
  tracer: Tracer | undefined;
  log: Logger;
}
