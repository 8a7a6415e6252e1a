import { Server } from 'node:net';
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { outboxPath } from '../../capabilities/outbox/address.ts';
import { explainListenError } from '../../platform/base/explain-listen-error.ts';
import { type Config, readConfig } from '../../platform/configuration/config.ts';
import { localAddress } from '../../platform/configuration/server-address.ts';
import type { ConnectionTarget } from '../../platform/database/connections.ts';
import { changesOfRoot } from '../../platform/embedded-postgres/changes-of-root.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import type { AllDeps } from '../deps.ts';
import { listenOnOwnPort } from '../operator/own-port.ts';
import { isPortalBuilt } from '../portal/app-routes.ts';
import { createSignIn } from '../portal/sign-in/sign-in.ts';
import { findDemoAdmin, seedDemo } from '../seed/seed-demo.ts';
import { buildApp } from './app.ts';
import type { Surroundings } from './create-deps.ts';
import { createMovableClock, startEmulatorControl } from './emulator.ts';
import { keepKeys } from './keep-keys.ts';
import { type Opened, openProcess, type ProcessOptions, runUntilStopped } from './run.ts';
import { type Started, startLine, startPanel } from './start-panel.ts';

/** Connections that may wait to be accepted. Linux allows 4,096 by default. */
const BACKLOG = 4_096;
/** For requests under way at a stop. The process has a second more to write what is in memory. */
const ANSWERED_WITHIN_MS = 9_000;
/** For data that has arrived on accepted connections but was not read yet. */
const READ_FOR_MS = 50;

export interface ServeOptions extends ProcessOptions {
  /** Prints one line of JSON instead of the panel, and logs to standard error. */
  json?: boolean;
  /** The database is temporary. */
  isEphemeral?: boolean;
}

/**
 * Runs the service until SIGTERM, SIGINT or SIGHUP. Then it answers the requests under way, finishes the jobs under way
 * and stops the embedded PostgreSQL.
 *
 * @throws OperatorError if a setting, the database or the port prevents the start; all is closed then
 */
export async function serve(config: Config = readConfig(process.env), options: ServeOptions = {}): Promise<void> {
  const clock = options.isEphemeral ? createMovableClock() : undefined;
  const open = async ({ surroundings: given, description }: Opened) => {
    const surroundings = clock === undefined ? given : { ...given, clock };
    const service = await createService(config, surroundings, options);
    return {
      close: () => service.close(),
      async start() {
        const baseUrl = await service.listen();
        const metricsAddress = service.metricsAddress();
        // After listening: a start that fails must not create keys, which are shown once.
        const demo = config.demo
          ? await seedDemo(service.deps, { hasLiveFunds: options.isEphemeral === true })
          : undefined;
        const controlUrl = clock && (await startEmulatorControl(service.deps, clock));
        const demoAdmin = config.demo ? await findDemoAdmin(service.deps) : undefined;
        const started = { baseUrl, metricsAddress, database: description, config, demo, demoAdmin, controlUrl };
        await announce(started, surroundings, options);
      },
    };
  };
  await runUntilStopped(config, 'server', open, options.json ? 2 : 1);
}

type Ready = Omit<Started, 'hasPortal' | 'outboxUrl' | 'showsSecrets' | 'keyFiles' | 'asRoot'>;

/** Shows at the terminal and in the log that the service is ready. Secrets go to a terminal or a private file only. */
export async function announce(
  ready: Ready,
  { log, linkSecrets }: Pick<Surroundings, 'log' | 'linkSecrets'>,
  { json = false, isEphemeral = false }: ServeOptions,
): Promise<void> {
  const { baseUrl, metricsAddress, database, config, demo } = ready;
  const showsSecrets = isEphemeral || process.stdout.isTTY === true;
  const outboxUrl = hasOutboxPage(config, baseUrl) ? baseUrl + outboxPath(linkSecrets) : undefined;
  const keyFiles = demo === undefined || showsSecrets ? undefined : await keepKeys(config.dataDir, demo);
  const hasPortal = isPortalBuilt();
  const started: Started = { ...ready, hasPortal, outboxUrl, showsSecrets, keyFiles, asRoot: changesOfRoot() };
  process.stdout.write(json ? startLine(started) : startPanel(started));
  log.info({ base_url: baseUrl, metrics_url: metricsAddress, database }, 'ready');
}

export interface Service {
  app: FastifyInstance;
  deps: AllDeps;
  /** Listens and starts the work on jobs; returns the public address. */
  listen(): Promise<string>;
  /** The address of the metrics once the service listens; undefined without METRICS_PORT. */
  metricsAddress(): string | undefined;
  /** Answers the requests under way within nine seconds, finishes the jobs under way and closes every connection. */
  close(): Promise<void>;
}

/** Makes the service around a migrated database. */
export async function createService(
  config: Config,
  surroundings: Surroundings,
  options?: ProcessOptions,
): Promise<Service> {
  let address = config.publicUrl ?? localAddress(config.host, config.port);
  const { deps, start, close } = await openProcess(config, surroundings, () => address, options);
  let metricsAddress: string | undefined;
  let ownPort: Server | undefined;
  const app = await buildApp(deps, signInOf(config, surroundings, deps));
  await app.ready();

  return {
    app,
    deps,
    async listen() {
      const { host, port } = config;
      await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
        throw explainListenError(error, { host, port, portSetting: 'PORT' });
      });
      address = config.publicUrl ?? localAddress(host, portOf(app));
      ownPort = await listenOnOwnPort(app, config);
      metricsAddress = await start();
      return address;
    },
    metricsAddress: () => metricsAddress,
    close: () => close(() => endRequests(app, ownPort, surroundings.log)),
  };
}

async function endRequests(app: FastifyInstance, ownPort: Server | undefined, log: Surroundings['log']): Promise<void> {
  const cut = setTimeout(() => {
    log.error('Requests did not end in time and were cut off.');
    app.server.closeAllConnections();
  }, ANSWERED_WITHIN_MS);
  ownPort?.close();
  await stopListening(app);
  await app.close().finally(() => clearTimeout(cut));
}

const signInOf = (config: Config, { servers, homeTarget, linkSecrets }: Surroundings, deps: AllDeps) =>
  createSignIn({
    ...deps,
    target: homeTarget ?? (servers[0] as ConnectionTarget),
    linkSecrets: secretsFor('sessions', config, linkSecrets),
  });

/**
 * Stops accepting connections and reads what has arrived on the others. `http.Server` would close a connection that was
 * just accepted, although its request may have arrived.
 */
async function stopListening({ server }: FastifyInstance): Promise<void> {
  Server.prototype.close.call(server);
  await wait(READ_FOR_MS);
  // If the process was held up, the timer fires before anything is read.
  await nextTick();
  await nextTick();
}

function portOf({ server }: FastifyInstance): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
