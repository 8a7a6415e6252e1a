import { startTestService } from '../../../server/test/harness/test-service.ts';
import { findBrokenTables } from '../find-broken-tables.ts';
import type { Suite } from '../suite.ts';
import { faultsOf } from './faults.ts';
import { framingCases } from './framing-cases.ts';
import { lineCases } from './line-cases.ts';
import { protocolCases } from './protocol-cases.ts';
import { sampleOf } from './random.ts';
import type { SocketCase } from './socket-case.ts';
import { watchLog } from './watch-log.ts';
import { exchangeAll, headerOf } from './wire.ts';

export const socketCases: readonly SocketCase[] = [...lineCases, ...framingCases, ...protocolCases];

const AT_ONCE = 20;
const WITHIN_MS = 15_000;

/** What is wrong with the answers to a case: nothing, where they are as many as they must be, each with its form. */
export async function faultsOfCase(url: string, one: SocketCase, requestIds: Set<string>): Promise<string[]> {
  try {
    const { replies, rest, isClosed } = await exchangeAll(url, { ...one, withinMs: WITHIN_MS });
    const faults = replies.flatMap((reply) => faultsOf(reply));
    const statuses = replies.map(({ status }) => status).join(', ');
    if (statuses !== one.statuses.join(', '))
      faults.push(`answered [${statuses}] in the place of [${one.statuses.join(', ')}]`);
    if (rest.length > 0) faults.push(`${rest.length} bytes behind the last answer`);
    if (!isClosed) faults.push(`the connection was still open after ${WITHIN_MS / 1_000} s`);
    for (const reply of replies) {
      const id = headerOf(reply, 'request-id') ?? '';
      if (requestIds.has(id)) faults.push('a Request-Id that was given before');
      requestIds.add(id);
    }
    return faults;
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Bytes that no library would send, on connections of their own. */
export const hostileSockets: Suite = {
  name: 'sockets',
  counts: { whole: socketCases.length, short: 200 },
  async run({ seed, count, say }) {
    const service = await startTestService();
    const findings: string[] = [];
    try {
      const lines = watchLog(service);
      const waiting = sampleOf(socketCases, count, seed);
      const requestIds = new Set<string>();
      const work = async () => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
          for (const fault of await faultsOfCase(service.url, one, requestIds)) findings.push(`${one.name}: ${fault}`);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      say(`${Math.min(count, socketCases.length)} of ${socketCases.length} cases, ${requestIds.size} answers`);
      const { sandbox } = await service.organization();
      const { status } = await sandbox.order([{ amount: 1000, category: 'coffee', delivery: { method: 'link' } }]);
      if (status !== 201) findings.push(`an order afterwards: ${status}`);
      findings.push(...(await findBrokenTables(service)));
      return [...findings, ...lines.slice(0, 10).map((line) => `logged: ${line}`)];
    } finally {
      await service.close();
    }
  },
};
