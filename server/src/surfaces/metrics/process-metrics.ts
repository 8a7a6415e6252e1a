import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { within } from '../../platform/base/within.ts';

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

interface Question {
  asksMetrics: number;
}

interface Answer {
  metricsOf: number;
  metrics: Metrics;
}

/** Shorter than the library’s own, which gives none if one process is silent. */
const ANSWER_WITHIN_MS = 2_000;

let latest = 0;

/** Answers the first process from now on. */
export function answerMetrics(registry: Registry): void {
  process.on('message', (question: Partial<Question> | null) => {
    const number = question?.asksMetrics;
    if (number !== undefined)
      void registry
        .getMetricsAsJSON()
        .then((metrics) => process.send?.({ metricsOf: number, metrics } satisfies Answer));
  });
}

/** Asks all processes, and sums the metrics of those that answer. `silent`: the system’s ids of the others. */
export async function sumMetrics(): Promise<{ text: string; silent: (number | undefined)[] }> {
  latest += 1;
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true);
  const answers = await Promise.all(workers.map((worker) => askOne(worker as Worker, latest)));
  const found = answers.filter((metrics) => metrics !== undefined);
  const silent = workers.filter((_, index) => answers[index] === undefined).map((worker) => worker?.process.pid);
  return { text: await AggregatorRegistry.aggregate(found).metrics(), silent };
}

async function askOne(worker: Worker, number: number): Promise<Metrics | undefined> {
  const { promise, resolve } = Promise.withResolvers<Metrics>();
  const listen = (answer: Partial<Answer> | null) => {
    if (answer?.metricsOf === number && answer.metrics !== undefined) resolve(answer.metrics);
  };
  worker.on('message', listen);
  try {
    // A process that ends meanwhile gives no answer.
    worker.send({ asksMetrics: number } satisfies Question, () => undefined);
    return await within<Metrics | undefined>(ANSWER_WITHIN_MS, promise, () => undefined);
  } finally {
    worker.off('message', listen);
  }
}
