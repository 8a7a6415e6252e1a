import { createApiClient } from '../../server/test/harness/api-client.ts';
import { CALLERS, type Caller, raceForGift, type Winner } from '../../server/test/harness/gift-race.ts';
import { verifyAll } from '../../server/test/harness/ledger.ts';
import { bestow, stopChild } from '../../server/test/harness/server-process.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { openTestServer } from '../../server/test/test-server.ts';
import type { Fault } from './fault.ts';

/** A race moves the clock of its gift by 40 days, and must end before the time of the servers. */
const BEFORE_MS = 41 * 86_400_000;

const SETTINGS = {
  LOG_LEVEL: 'error',
  DEMO: '0',
  PORT: '0',
  LINK_SECRET: 'a link secret that both servers share',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
  RATE_LIMIT_ADDRESS_BURST: '1000000',
};

/** Starts a server; jobs and the operator act from this process. */
async function startProcess({ service, target }: TestService) {
  const { user, host = '', port, database } = target;
  const at = host.startsWith('/') ? encodeURIComponent(host) : `${host}:${port}`;
  const server = bestow(['serve', '--no-worker'], {
    ...SETTINGS,
    DATABASE_URL: `postgres://${user}@${at}/${database}`,
  });
  const { address } = await server.ready();
  const caller: Caller = { api: (key) => createApiClient(address, key), deps: service.deps };
  return { caller, child: server.child };
}

export const raceGift: Fault = {
  name: 'gift-race',
  summary: `${CALLERS} callers cancel, claim, expire, redirect and hold one gift over two servers: one wins, and no cent is lost.`,
  fullCount: 200,
  shortCount: 10,
  async run({ count, say }) {
    const closeTestServer = await openTestServer();
    const service = await startTestService();
    const servers = await Promise.all([startProcess(service), startProcess(service)]);
    const failures: string[] = [];
    const wins: Record<Winner, number> = { claimed: 0, canceled: 0, expired: 0 };
    try {
      for (let round = 0; round < count; round += 1) {
        await service.clock.setTime(Date.now() - BEFORE_MS);
        try {
          wins[await raceForGift(service, [servers[0].caller, servers[1].caller], round)] += 1;
        } catch (error) {
          failures.push(`Round ${round}: ${error instanceof Error ? error.message : error}`);
        }
        if ((round + 1) % 25 === 0) say(`${round + 1} of ${count}, ${failures.length} broken promises`);
      }
      await verifyAll(service).catch((error: Error) => failures.push(error.message));
    } finally {
      for (const { child } of servers) await stopChild(child, 'SIGKILL');
      await service.close();
      await closeTestServer();
    }
    const notes = [
      `won by ${Object.entries(wins)
        .map(([winner, times]) => `${winner} ${times}`)
        .join(', ')}`,
    ];
    return { count, violations: [], failures, recoveriesMs: [], notes };
  },
};
