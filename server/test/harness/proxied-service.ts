import { type PostgresProxy, startProxy } from '../../../reliability/proxy/start-proxy.ts';
import { SERVICE_USER_NAME } from '../../src/platform/embedded-postgres/cluster.ts';
import { openDatabase } from '../../src/platform/installation/open-database.ts';
import { createService, type Service } from '../../src/surfaces/process/serve.ts';
import { endWithTest } from './end-with-test.ts';
import { createTestLog } from './test-log.ts';
import { LINK_SECRET, startTestService, type TestService, testConfig } from './test-service.ts';

export interface ProxiedService {
  /** A service directly on PostgreSQL, for preparations and checks. */
  direct: TestService;
  proxy: PostgresProxy;
  /** The tested service: it reaches the same database through the proxy. */
  proxied: Service;
  /** The address of the tested service. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a service whose connection to PostgreSQL can be cut, slowed and stopped.
 *
 * @param parameters of its `DATABASE_URL`, such as `&sslmode=disable`
 */
export async function startProxiedService(parameters = ''): Promise<ProxiedService> {
  const direct = await startTestService();
  // As the role of the first service, which owns the tests' clock.
  const proxy = await startProxy({ ...direct.target, user: SERVICE_USER_NAME });
  const { servers } = await openDatabase({ databaseUrls: [`${proxy.url}${parameters}`], dataDir: '' }, 'server');
  const surroundings = { servers, clock: direct.clock, log: createTestLog(), linkSecrets: [LINK_SECRET] };
  const proxied = await createService(testConfig(), surroundings);
  const url = await proxied.listen();
  return {
    direct,
    proxy,
    proxied,
    url,
    close: endWithTest(async () => {
      await proxied.close();
      await proxy.close();
      await direct.close();
    }),
  };
}
