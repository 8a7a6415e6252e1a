import { createPortalClient } from '../../../server/test/harness/portal-client.ts';
import { startTestService } from '../../../server/test/harness/test-service.ts';
import { findBrokenTables } from '../find-broken-tables.ts';
import type { Suite, SuiteRun } from '../suite.ts';
import { faultsOf } from './faults.ts';
import { createLane } from './lane.ts';
import { nastyStrings } from './nasty-strings.ts';
import { type PortalGround, portalPlaces } from './portal-places.ts';
import { sampleOf } from './random.ts';
import { watchLog } from './watch-log.ts';

const LANES = 4;
const MAX_FINDINGS = 100;

/** @param more what an admin's browser sends in the place of what it should */
export async function tryPortal(
  { seed, count, say }: SuiteRun,
  more: Partial<Pick<PortalGround, 'cookie' | 'origin'>> = {},
): Promise<string[]> {
  const service = await startTestService({ RATE_LIMIT_BURST: '10000000', RATE_LIMIT_ADDRESS_BURST: '10000000' });
  try {
    const organization = await service.organization({ sandbox: 100_000, live: 0 });
    const { body: order } = await organization.sandbox.order([
      { amount: 1000, category: 'coffee', delivery: { method: 'link' } },
    ]);
    const client = await createPortalClient(service, 'admin@example.com');
    const ground: PortalGround = {
      cookie: client.cookie(),
      origin: service.service.deps.publicUrl(),
      known: {
        organization_id: organization.organizationId,
        environment: 'sandbox',
        order_id: order.order_id,
        gift_id: order.gifts[0].gift_id,
        member_id: organization.memberId,
        month: '2026-11',
        number: '1',
      },
      ...more,
    };
    const lines = watchLog(service);
    const findings: string[] = [];
    const answers: Record<number, number> = {};
    const pairs = portalPlaces.flatMap((place) => nastyStrings.map((value) => ({ place, value })));
    const trials = sampleOf(pairs, count, seed);
    const work = async (first: number) => {
      const lane = createLane(service.url);
      for (let index = first; index < trials.length && findings.length < MAX_FINDINGS; index += LANES) {
        const { place, value } = trials[index] as (typeof trials)[number];
        const name = `${place.name} ← ${value.family}: ${JSON.stringify(value.bytes.toString('latin1').slice(0, 60))}`;
        try {
          const reply = await lane.ask(place.request(value, ground), place.isAlone(value));
          answers[reply.status] = (answers[reply.status] ?? 0) + 1;
          for (const fault of faultsOf(reply, 'portal')) findings.push(`${name}: ${fault}`);
        } catch (error) {
          findings.push(`${name}: ${(error as Error).message}`);
        }
      }
      lane.close();
    };
    await Promise.all(Array.from({ length: LANES }, (_, first) => work(first)));
    say(`${nastyStrings.length} strings, ${portalPlaces.length} places, ${trials.length} requests`);
    say(
      `answers: ${Object.entries(answers)
        .map(([status, of]) => `${of} of ${status}`)
        .join(', ')}`,
    );
    // An admin who comes from the portal's own page is let in everywhere.
    for (const status of [401, 403])
      if (answers[status] !== undefined) findings.push(`${answers[status]} were refused with ${status}`);
    if ((await client.call('GET', '/me')).status !== 200) findings.push('the admin is not signed in any more');
    findings.push(...(await findBrokenTables(service)));
    return [...findings, ...lines.slice(0, 10).map((line) => `logged: ${line}`)];
  } finally {
    await service.close();
  }
}

/** Every nasty string in every place of the portal's interface, or a sample of these pairs: as an admin who is signed in. */
export const hostilePortal: Suite = {
  name: 'portal',
  counts: { whole: 60_000, short: 2_000 },
  run: (options) => tryPortal(options),
};
