import fc from 'fast-check';
import { startTestService } from '../../../server/test/harness/test-service.ts';
import { type Exchange, exchange } from '../exchange.ts';
import { findBrokenTables, type Suite, type SuiteRun } from '../suite.ts';
import { CALLS_PER_SEQUENCE, type Sequence, sequencesOf } from './calls.ts';
import { SequenceRun, type Stage } from './run-sequence.ts';

const SEQUENCES_PER_LINE = 100;

/** Links live about a minute, so that a sequence sees them expire. */
const variables = {
  LINK_TTL_DAYS: '0.00075',
  PUBLIC_URL: 'http://gifts.example',
  RATE_LIMIT_BURST: '10000000',
  RATE_LIMIT_ADDRESS_BURST: '10000000',
};

export async function openStage(): Promise<Stage> {
  const service = await startTestService(variables);
  const second = await service.second();
  const stranger = await service.organization();
  const gift = { amount: 1000, category: 'coffee', delivery: { method: 'link' } };
  const { body } = await stranger.sandbox.order([gift]);
  const { body: categories } = await stranger.sandbox.get('/v1/categories');
  return {
    services: [service, second],
    foreign: { orders: body.order_id, gifts: body.gifts[0].gift_id },
    categories,
  };
}

/** Runs `count` sequences. The first wrong answer ends the run, after fast-check has shrunk the sequence. */
export async function checkSequences(
  stage: Stage,
  send: Exchange,
  { seed, count, say }: SuiteRun,
  callsPerSequence = CALLS_PER_SEQUENCE,
): Promise<string[]> {
  const outcomes = new Map<string, number>();
  const counted: Exchange = async (request) => {
    const answer = await send(request);
    const outcome = [request.operationId, answer.status, answer.body?.error?.code ?? ''].join(' ');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return answer;
  };
  let done = 0;
  let log: string[] = [];
  const property = fc.asyncProperty(sequencesOf(callsPerSequence), async (sequence: Sequence) => {
    const run = await SequenceRun.start(stage, counted, sequence);
    try {
      for (const call of sequence.calls) await run.perform(call);
      await run.end();
    } catch (error) {
      log = [`on ${sequence.processes} processes:`, ...run.log];
      throw error;
    }
    done += 1;
    if (done % SEQUENCES_PER_LINE === 0) say(`${done} sequences`);
  });
  const { failed, counterexamplePath, errorInstance, numShrinks } = await fc.check(property, { seed, numRuns: count });
  for (const [outcome, times] of [...outcomes].sort()) say(`${outcome}: ${times}`);
  if (!failed) return [];
  const { message, stack = '' } = errorInstance as Error;
  // The stack helps if the model itself broke.
  const reason = message === '' ? stack : message;
  const replay = `seed ${seed}, path ${counterexamplePath}, after ${numShrinks} steps towards the smallest`;
  return [[reason, ...log, replay].join('\n    ')];
}

export const modelSequences: Suite = {
  name: 'model',
  counts: { whole: 2_000, short: 60 },
  async run(options) {
    const stage = await openStage();
    try {
      return [...(await checkSequences(stage, exchange, options)), ...(await findBrokenTables(stage.services[0]))];
    } finally {
      await stage.services[0].close();
    }
  },
};
