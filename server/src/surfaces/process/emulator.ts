import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addFunds } from '../../core/balances/change-balance.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import { type Clock, systemClock } from '../../platform/base/clock.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import { bringJobsForward } from '../../platform/jobs/bring-jobs-forward.ts';
import type { AllDeps } from '../deps.ts';

interface MovableClock extends Clock {
  advance(ms: number): void;
}

/** The system's time, plus what tests added. */
export function createMovableClock(): MovableClock {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    advance(ms) {
      aheadMs += ms;
    },
  };
}

const SECRET_BYTES = 16;

/**
 * Listens on loopback for what a test suite asks of its temporary service: `POST …/funds` and `POST …/clock`. Only the
 * program that started the service learns the address.
 */
export async function startEmulatorControl(deps: AllDeps, clock: MovableClock): Promise<string> {
  const acts: Record<string, (input: Record<string, unknown>) => Promise<unknown>> = {
    async funds({ cents, environment }) {
      const [organization] = await listOrganizations(deps);
      if (!(Number.isSafeInteger(cents) && Number(cents) > 0)) throw new Error('cents must be a whole number above 0.');
      return addFunds(deps, {
        organizationId: organization?.organization_id ?? '',
        environment: environment === 'live' ? 'live' : 'sandbox',
        amountCents: Number(cents),
        reference: undefined,
        note: undefined,
        actor: { kind: 'operator', name: 'test suite', address: 'localhost' },
      });
    },
    async clock({ ms }) {
      if (!(typeof ms === 'number' && ms > 0)) throw new Error('ms must be a number above 0.');
      clock.advance(ms);
      await bringJobsForward(deps, ms);
      return { now: new Date(clock.now()) };
    },
  };
  const secret = `/${randomBytes(SECRET_BYTES).toString('hex')}/`;
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const act = method === 'POST' && url.startsWith(secret) ? acts[url.slice(secret.length)] : undefined;
    const answer = act === undefined ? { error: 'Not found.' } : await run(act, request);
    response.setHeader('Connection', 'close').end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`;
}

async function run(act: (input: Record<string, unknown>) => Promise<unknown>, request: IncomingMessage) {
  try {
    let text = '';
    for await (const chunk of request) text += chunk;
    return await act(JSON.parse(text));
  } catch (error) {
    return { error: errorMessage(error) };
  }
}
