import { followFeeds } from './follow-feed.ts';
import { loadFault } from './load-fault.ts';
import { addPushEndpoints } from './push-endpoints.ts';
import { pick, splitRandom } from './random.ts';
import { killDatabase } from './server-faults.ts';

export const killForEvents = loadFault({
  name: 'events',
  summary:
    'SIGKILL of servers, workers and PostgreSQL: feeds have no hole, no event before its commit, and say what the tables say; endpoints that fail half of the time get each event, ordered ones in order.',
  fullCount: 150,
  // Five minutes.
  shortCount: 40,
  options: {
    organizations: [
      { environments: ['live', 'sandbox'] },
      { environments: ['live', 'sandbox'], resets: true },
      { environments: ['live', 'sandbox'] },
    ],
  },
  async start(installation, { random, isQuick = false }) {
    const servers = [
      await installation.startServer({ args: ['--no-worker'] }),
      await installation.startServer(),
    ] as const;
    const urls = servers.map(({ url }) => url);
    const running = [...servers];
    let worker = await installation.startWorker();
    // A reset ends a feed, so only the others are followed.
    const followed = installation.organizations.filter(({ resets }) => !resets);
    // Live endpoints need https.
    const sandboxes = followed.filter(({ environment }) => environment === 'sandbox');
    const endpoints = await addPushEndpoints(installation, urls, sandboxes, splitRandom(random));
    const follower = followFeeds(urls, followed);
    return {
      load: { urls, perSecond: 120 },
      url: () => running[0]?.url ?? '',
      // Another process takes an endpoint over after 40 s.
      ...(isQuick ? {} : { betweenMs: { least: 1_000, most: 10_000 } }),
      heal: () => endpoints.heal(),
      async inject() {
        const victim = pick(random, ['server', 'server', 'worker', 'database'] as const);
        installation.recorder.crash();
        if (victim === 'database') await (await killDatabase(installation, random))();
        else if (victim === 'worker') {
          worker.signal('SIGKILL');
          await worker.ended;
          worker = await installation.startWorker();
        } else {
          const index = random() < 0.5 ? 0 : 1;
          const { port } = servers[index];
          running[index]?.signal('SIGKILL');
          await running[index]?.ended;
          const args = index === 0 ? ['--no-worker'] : [];
          running[index] = await installation.startServer({ port, args });
        }
        return {};
      },
      async finish(result) {
        result.failures.push(...(await follower.stop(installation.sql)), ...(await endpoints.stop()));
        const seen = follower.feeds.reduce((sum, { events }) => sum + events.length, 0);
        result.notes.push(`${seen} events were followed in ${follower.feeds.length} feeds`);
        const { pushes } = installation.recorder;
        const accepted = pushes.filter(({ isAccepted }) => isAccepted).length;
        result.notes.push(
          `${pushes.length} pushes arrived at ${installation.recorder.endpoints.length} endpoints, ${accepted} were accepted`,
        );
      },
    };
  },
});
