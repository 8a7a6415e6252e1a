import type { TestService } from '../../../server/test/harness/test-service.ts';
import { differences, type SentGift } from './expected-order.ts';
import { faultsOf } from './faults.ts';
import { createGround, type KeptGround } from './ground.ts';
import { createLane } from './lane.ts';
import type { Nasty } from './nasty-strings.ts';
import type { Place } from './place.ts';
import { headerOf, type Reply } from './wire.ts';

export interface Trial {
  place: Place;
  value: Nasty;
}

export interface Tried {
  requests: number;
  /** By status. */
  answers: Record<number, number>;
  orders: number;
  findings: string[];
}

const LANES = 8;
const MAX_FINDINGS = 100;

/**
 * Makes every request and judges its answer; then looks whether anything is there that should not be, or came back
 * altered. Each lane has an organization of its own, so that its orders never wait for another's.
 */
export async function tryPlaces(service: TestService, trials: readonly Trial[]): Promise<Tried> {
  const requestIds = new Set<string>();
  const tried: Tried = { requests: 0, answers: {}, orders: 0, findings: [] };
  const find = (finding: string) => {
    if (tried.findings.length < MAX_FINDINGS) tried.findings.push(finding);
  };

  async function judge({ place, value }: Trial, kept: KeptGround, ask: () => Promise<Reply>): Promise<void> {
    const name = () => `${place.name} ← ${value.family}: ${shown(value)}`;
    try {
      const reply = await ask();
      tried.answers[reply.status] = (tried.answers[reply.status] ?? 0) + 1;
      const requestId = headerOf(reply, 'request-id') ?? '';
      const faults = [
        ...faultsOf(reply, place.side),
        ...faultsOfExpected(place, value, reply, kept),
        ...(requestIds.has(requestId) ? ['a Request-Id that was given before'] : []),
      ];
      requestIds.add(requestId);
      for (const fault of faults) find(`${name()}: ${fault}`);
    } catch (error) {
      find(`${name()}: ${(error as Error).message}`);
    }
  }

  const grounds: KeptGround[] = [];
  while (grounds.length < LANES) grounds.push(await createGround(service));
  await Promise.all(
    grounds.map(async (kept, number) => {
      const lane = createLane(service.url);
      for (let index = number; index < trials.length; index += LANES) {
        const trial = trials[index] as Trial;
        const bytes = trial.place.request(trial.value, kept.ground, `unique ${index}`);
        tried.requests += 1;
        await judge(trial, kept, () => lane.ask(bytes, trial.place.isAlone(trial.value)));
      }
      lane.close();
    }),
  );
  for (const kept of grounds) {
    tried.orders += kept.placed.size;
    for (const finding of await kept.changes()) find(finding);
  }
  return tried;
}

function faultsOfExpected(place: Place, value: Nasty, reply: Reply, kept: KeptGround): string[] {
  const text = reply.body.toString();
  if (/root:x:0|"bestow-workspace"/.test(text)) return ['a file of the machine in the answer'];
  if (reply.status === 201) kept.record(JSON.parse(text));
  const expected = place.expected(value);
  if (expected === undefined) return [];
  if (!expected.status.includes(reply.status))
    return [`${reply.status} in the place of ${expected.status.join(' or ')}`];
  const body = JSON.parse(text) as { error?: { code: string }; gifts?: Parameters<typeof differences>[1][] };
  if (expected.code !== undefined && body.error?.code !== expected.code)
    return [`${body.error?.code} in the place of ${expected.code}`];
  if (expected.gifts === undefined || body.gifts === undefined) return [];
  if (body.gifts.length !== expected.gifts.length) return ['another number of gifts'];
  return body.gifts.flatMap((gift, index) => differences(expected.gifts?.[index] as SentGift, gift, kept.name));
}

const shown = ({ bytes, json }: Nasty) =>
  `${JSON.stringify(bytes.toString('latin1').slice(0, 60))} (${bytes.length} bytes; as JSON ${JSON.stringify(json.toString('latin1').slice(0, 60))})`;

/** Every value in every place. */
export function product(places: readonly Place[], values: readonly Nasty[]): Trial[] {
  return places.flatMap((place) => values.map((value) => ({ place, value })));
}
