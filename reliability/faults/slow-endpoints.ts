import { setTimeout as sleep } from 'node:timers/promises';
import { Bestow } from '../../sdk/src/index.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { until } from '../../server/test/harness/server-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/harness/webhook-receiver.ts';
import type { LoadOrganization } from '../load/state.ts';
import type { PushedEvent } from '../record/recorder.ts';
import type { Installation } from './installation.ts';
import { loadFault } from './load-fault.ts';
import { addEndpoint } from './push-endpoints.ts';
import { mailTimes, orderTimes, timesText, type Watched, watchedText, watchServer } from './watch-server.ts';

/** The service waits ten seconds. */
const ANSWERS_AFTER_MS = 29_000;
const DUE_EVENTS = 1_000;
/** Three answers of the slow endpoint. */
const HELD_MS = 3 * ANSWERS_AFTER_MS;
const LATE_MS = 5_000;
const MOST_MORE_MB = 150;
/** As docs/webhooks.md says. */
const TRIES = 10;
const HURRIES_EVERY_MS = 500;
/** The product retries after 5 seconds to a day. */
const DUE_AT_ONCE = `update webhook_deliveries set next_attempt_at = now()
  where endpoint_id = $1 and state = 'pending' and next_attempt_at > now()`;

export const slowEndpoints = loadFault({
  name: 'slow-endpoints',
  summary:
    'An endpoint answers after 29 s while 1,000 events are due: other endpoints, mails, jobs and orders are on time. It gets every event once it answers; an event of another one is given up after ten tries.',
  fullCount: 3,
  shortCount: 1,
  async start(installation, { say }) {
    const server = await installation.startServer();
    const { url } = server;
    const sandboxes = installation.organizations.filter(
      ({ environment, resets }) => environment === 'sandbox' && !resets,
    );
    const [crowded] = sandboxes as [LoadOrganization];
    const slow = await openSlow(installation, url, crowded);
    const lateMs: number[] = [];
    const prompt: WebhookReceiver[] = [];
    for (const organization of sandboxes)
      prompt.push(await openPrompt(installation, url, organization, (late) => lateMs.push(late)));
    const notes: string[] = [];
    return {
      load: { urls: [url] },
      url: () => url,
      async inject() {
        slow.beSlow(true);
        await slow.switchTo('disabled');
        await placeMany(installation, url, crowded, slow.due);
        const { calls, messages } = installation.recorder;
        const [sinceCalls, sinceMessages] = [calls.length, messages.length];
        lateMs.length = 0;
        await slow.switchTo('enabled');
        const watch = watchServer(installation, server);
        const [givenUp] = await Promise.all([giveUp(installation, url, crowded), sleep(HELD_MS)]);
        const watched = await watch.stop();
        const times = {
          orders: orderTimes(installation.recorder, sinceCalls),
          mails: mailTimes(installation.recorder, sinceMessages),
          pushes: lateMs.toSorted((one, other) => one - other),
        };
        notes.push(`${slow.hung()} pushes hung and ${await slow.due()} events waited; ${watchedText(watched)}`);
        notes.push(
          Object.entries(times)
            .map(([what, all]) => timesText(what, all))
            .join('; '),
        );
        say(notes.slice(-2).join('; '));
        const failures = [...givenUp, ...judge(times, watched)];
        if ((await slow.due()) < DUE_EVENTS - TRIES) failures.push('the slow endpoint accepted events.');
        const healedAtMs = performance.now();
        slow.beSlow(false);
        await until(async () => {
          await slow.hurry();
          return (await slow.due()) === 0;
        }, 'every event of the slow endpoint has arrived');
        return { recoveryMs: performance.now() - healedAtMs, failures };
      },
      async finish(result) {
        result.notes.push(...notes);
        for (const receiver of [slow, ...prompt]) await receiver.close();
      },
    };
  },
});

function judge(times: Record<string, readonly number[]>, { firstMb, mostMb, ...watched }: Watched): string[] {
  const failures = Object.entries(times).flatMap(([what, all]) => {
    const latest = all.at(-1) ?? Number.POSITIVE_INFINITY;
    return latest > LATE_MS ? [`${what} were up to ${Math.round(latest)} ms late.`] : [];
  });
  if (watched.latestJobMs > LATE_MS) failures.push(`a job was ${Math.round(watched.latestJobMs)} ms late.`);
  if (watched.ready < watched.asked) failures.push(`/readyz said ${watched.reasons}.`);
  if (mostMb - firstMb > MOST_MORE_MB) failures.push(`memory rose from ${firstMb} to ${mostMb} MB.`);
  return failures;
}

/** Answers every push with 204, at once or after 29 s, when the service has long hung up. */
async function startSlowReceiver(onPush: (event: PushedEvent, isSlow: boolean) => void) {
  const receiver = await startWebhookReceiver();
  let isSlow = true;
  receiver.reply = async ({ text }) => {
    const hangs = isSlow;
    onPush(JSON.parse(text) as PushedEvent, hangs);
    receiver.received.length = 0;
    if (hangs) await sleep(ANSWERS_AFTER_MS, undefined, { ref: false });
    return { status: 204 };
  };
  return {
    ...receiver,
    beSlow(slow: boolean) {
      isSlow = slow;
    },
  };
}

async function openSlow(installation: Installation, url: string, organization: LoadOrganization) {
  let hung = 0;
  let endpointId = '';
  const receiver = await startSlowReceiver((event, isSlow) => {
    if (isSlow) hung += 1;
    installation.recorder.push({ endpointId, event, isAccepted: !isSlow });
  });
  endpointId = (await addEndpoint(installation, url, organization, receiver.url, false)).endpointId;
  const uuid = decodeId('wh', endpointId);
  const bestow = new Bestow(organization.key, { baseUrl: url });
  return {
    ...receiver,
    hung: () => hung,
    switchTo: (status: 'enabled' | 'disabled') => bestow.webhookEndpoints.update(endpointId, { status }),
    hurry: () => installation.sql(DUE_AT_ONCE, [uuid]),
    /** How many events it has not accepted. */
    async due(): Promise<number> {
      const [row] = await installation.sql<{ due: number }>(
        `select (c.last_sequence - e.cursor_sequence + (
           select count(*) from webhook_deliveries d where d.endpoint_id = e.endpoint_id and d.state = 'pending'
         ))::integer as due
         from webhook_endpoints e join event_counters c using (organization_id, environment) where e.endpoint_id = $1`,
        [uuid],
      );
      return row?.due ?? 0;
    },
  };
}

/** Accepts at once, and notes from each event to its push. */
async function openPrompt(
  installation: Installation,
  url: string,
  organization: LoadOrganization,
  onPush: (lateMs: number) => void,
): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  const { endpointId } = await addEndpoint(installation, url, organization, receiver.url, false);
  receiver.reply = ({ text }) => {
    receiver.received.length = 0;
    const event = JSON.parse(text) as PushedEvent;
    onPush(Math.max(0, Date.now() - Date.parse(event.timestamp)));
    installation.recorder.push({ endpointId, event, isAccepted: true });
    return { status: 204 };
  };
  return receiver;
}

async function placeMany(
  { startLoad }: Installation,
  url: string,
  organization: LoadOrganization,
  due: () => Promise<number>,
): Promise<void> {
  const options = { urls: [url], organizations: [organization], only: ['placeOrder'] as const, steers: false };
  const load = startLoad({ ...options, clients: 16, perSecond: 300 });
  await until(async () => (await due()) >= DUE_EVENTS, `${DUE_EVENTS} events are due`);
  await load.stop();
}

/** Adds an endpoint for one event that it never answers in time, and makes every retry due at once. */
async function giveUp(installation: Installation, url: string, organization: LoadOrganization): Promise<string[]> {
  let pushes = 0;
  const receiver = await startSlowReceiver(() => {
    pushes += 1;
  });
  const bestow = new Bestow(organization.key, { baseUrl: url });
  const added = await bestow.webhookEndpoints.create({ url: receiver.url, types: ['balance.funded'] });
  const uuid = decodeId('wh', added.endpoint_id);
  await installation.fund(organization);
  await until(async () => {
    await installation.sql(DUE_AT_ONCE, [uuid]);
    await sleep(HURRIES_EVERY_MS);
    const rows = await installation.sql(
      `select from webhook_deliveries where endpoint_id = $1 and state = 'failed' and attempts = $2`,
      [uuid, TRIES],
    );
    return rows.length === 1;
  }, 'the event is given up');
  await bestow.webhookEndpoints.delete(added.endpoint_id);
  await receiver.close();
  return pushes === TRIES ? [] : [`an event was given up after ${pushes} pushes.`];
}
