import { randomBytes } from 'node:crypto';
import type { ConnectionTarget } from '../../../server/src/database/connections.ts';
import { bestow } from '../../../server/test/harness/server-process.ts';
import { createTestDatabase } from '../../../server/test/harness/test-database.ts';

/** A service in a process of its own, as production runs it, with a demo organization. */
export interface OwnProcess {
  url: string;
  pid: number;
  /** A sandbox key. */
  key: string;
  target: ConnectionTarget;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

const MUCH = '10000000';

/** Starts it on a database of its own of the test server; it is dropped when the process was stopped. */
export async function startOwnProcess(): Promise<OwnProcess> {
  const { target, drop } = await createTestDatabase();
  const { user, host = '', database, port } = target;
  const running = bestow(['serve'], {
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}/${database}${port === undefined ? '' : `?port=${port}`}`,
    LINK_SECRET: randomBytes(32).toString('hex'),
    PORT: '0',
    DEMO: '1',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: MUCH,
    RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
    RATE_LIMIT_ADDRESS_BURST: MUCH,
  });
  const panel = await running.ready();
  return {
    url: panel.address,
    pid: running.child.pid ?? 0,
    key: panel.sandboxKey ?? '',
    target,
    hasEnded: () => running.child.exitCode !== null || running.child.signalCode !== null,
    async stop() {
      running.signal('SIGTERM');
      await running.ended;
      await drop();
    },
  };
}
