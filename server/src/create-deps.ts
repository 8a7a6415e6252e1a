import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import { createIdGenerator } from './base/ids.ts';
import type { Meter } from './base/meter.ts';
import type { Tracer } from './base/tracer.ts';
import { createSimulatedIssuer } from './cards/simulated-issuer.ts';
import type { Config } from './config.ts';
import { type ConnectionTarget, connectDatabase } from './database/connections.ts';
import type { Deps } from './deps.ts';
import { startJobs } from './jobs/jobs.ts';
import { createKeyUseRecorder } from './keys/record-key-use.ts';
import { createSeal } from './notices/seal.ts';
import { createPlacementQueue } from './orders/placement-queue.ts';
import { createSignIn } from './portal/sign-in/sign-in.ts';
import { openRateLimits } from './rate-limits/open-rate-limits.ts';
import { createLinks } from './redemption/links.ts';
import { traceDatabase } from './tracing/trace-database.ts';

/** What a process provides: the migrated database, the time, the log and the secrets that sign links. */
export interface Surroundings {
  target: ConnectionTarget;
  clock: Clock;
  log: Logger;
  linkSecrets: readonly string[];
}

interface Observers {
  meter: Meter;
  tracer: Tracer | undefined;
}

/** Makes the dependencies of acts and routes, once per process. */
export async function createDeps(
  config: Config,
  { target, clock, log, linkSecrets }: Surroundings,
  publicUrl: () => string,
  { meter, tracer }: Observers,
): Promise<Deps> {
  const report = (error: Error) => log.warn({ err: error }, 'A database connection was lost.');
  const database = connectDatabase(target, report, { orderBatch: config.orderBatch, requiresChanges: true });
  if (tracer !== undefined) traceDatabase(database, tracer);
  const jobs = await startJobs(target, clock, log, { tracer });
  const simulatedIssuer = createSimulatedIssuer({ database });
  const ids = createIdGenerator(clock);
  const seal = createSeal(linkSecrets);
  return {
    config,
    publicUrl,
    clock,
    ids,
    database,
    jobs,
    log,
    meter,
    tracer,
    links: createLinks(linkSecrets, publicUrl),
    seal,
    cards: { live: simulatedIssuer, sandbox: simulatedIssuer },
    placementQueue: createPlacementQueue(
      { placement: database.placement, jobs, log, meter, tracer },
      config.orderBatch,
    ),
    rateLimits: await openRateLimits(config, clock, log),
    keyUse: createKeyUseRecorder({ database, clock, log }),
    signIn: createSignIn({ target, linkSecrets, publicUrl, log, database, clock, ids, jobs, seal }),
  };
}
