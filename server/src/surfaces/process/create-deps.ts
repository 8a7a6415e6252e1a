import type { Logger } from 'pino';
import { createIssuers } from '../../capabilities/issuers/open-issuers.ts';
import { outboxPath } from '../../capabilities/outbox/address.ts';
import { goOnAfterLosses } from '../../capabilities/restores/go-on-after-losses.ts';
import { readPositions } from '../../capabilities/restores/watch-history.ts';
import { createCheckpointKeys } from '../../capabilities/seals/checkpoint-keys.ts';
import { openStripe } from '../../capabilities/stripe/open-stripe.ts';
import { createTxtResolver } from '../../core/face/resolve-txt.ts';
import { createLinks } from '../../core/links/links.ts';
import { type Clock, isMoved } from '../../platform/base/clock.ts';
import { createIdGenerator } from '../../platform/base/ids.ts';
import type { Meter } from '../../platform/base/meter.ts';
import type { Tracer } from '../../platform/base/tracer.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { openConnections, type Targets } from '../../platform/database/connect-shards.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { databasesWithClocks } from '../../platform/jobs/clocks.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { trustedClock, watchClocks } from '../../platform/jobs/watch-clocks.ts';
import { addressGermans } from '../../platform/languages/words.ts';
import { RateLimiter } from '../../platform/rate-limits/rate-limit.ts';
import { traceDatabase } from '../../platform/tracing/trace-database.ts';
import type { AllDeps } from '../deps.ts';

/** What a process provides: the migrated database, the time, the log and the secrets that sign links. */
export interface Surroundings extends Targets {
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
  { servers, homeTarget, clock, log, linkSecrets }: Surroundings,
  publicUrl: () => string,
  { meter, tracer }: Observers,
): Promise<AllDeps> {
  addressGermans(config.germanAddress);
  const report = (error: Error) => log.warn({ err: error }, 'A database connection was lost.');
  const remembered = await readPositions(config.historyFile);
  const options = { orderBatch: config.orderBatch, requiresChanges: true, remembered };
  const database = openConnections({ servers, homeTarget }, report, options);
  const ids = createIdGenerator(clock);
  await goOnAfterLosses({ clock, database, ids, log }, servers);
  if (tracer !== undefined) traceDatabase(database, tracer);
  const watched = servers.map((server, index) => ({ ...server, ...database.servers[index]?.history?.poolOptions }));
  const jobs = await startJobs(watched, clock, log, tracer);
  const home = homeTarget && { ...homeTarget, ...database.homeHistory?.poolOptions };
  const homeJobs = home && (await startJobs([home], clock, log, tracer));
  const cipher = createCipher(secretsFor('codes', config, linkSecrets));
  return {
    config,
    publicUrl,
    clock,
    clockWatch: isMoved(clock) ? trustedClock : watchClocks({ clock, log, servers: databasesWithClocks(database) }),
    ids,
    database,
    jobs,
    homeJobs,
    log,
    meter,
    tracer,
    links: createLinks(secretsFor('gifts', config, linkSecrets), publicUrl),
    outboxPath: outboxPath(linkSecrets),
    cipher,
    checkpointKeys: createCheckpointKeys(secretsFor('ledger', config, linkSecrets), config.ledgerEarlierKeys),
    issuers: createIssuers({ database, clock, cipher }),
    resolveTxt: createTxtResolver(config.dnsServers),
    rateLimits: {
      perKey: new RateLimiter('key', config.keyRateLimit, clock),
      perWaitingKey: new RateLimiter('key', config.keyRateLimit, clock),
      perAddress: new RateLimiter('address', config.addressRateLimit, clock),
    },
    stripe: config.stripe && (await openStripe(config.stripe)),
    screening: await openScreening(config, clock),
  };
}

/** Loads the code only if claims are screened. */
async function openScreening({ screening }: Config, clock: Clock): Promise<AllDeps['screening']> {
  if (screening === undefined) return undefined;
  return (await import('../../capabilities/issuers/screening/ask-screening.ts')).createScreening(screening, clock);
}
