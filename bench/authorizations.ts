import { loadavg } from 'node:os';
import { systemClock } from '../server/src/platform/base/clock.ts';
import { createIdGenerator, encodeId } from '../server/src/platform/base/ids.ts';
import { createCipher } from '../server/src/platform/encryption/cipher.ts';
import { newAuthorization } from '../server/test/capabilities/stripe/resources/issuing-purchases.ts';
import { type Stripe, startStripe } from '../server/test/capabilities/stripe/server.ts';
import { createApiClient, linkGift } from '../server/test/harness/api-client.ts';
import { stripeForm, TERMS_VERSION } from '../server/test/harness/choose-stripe.ts';
import { withBareRoute } from './ceiling/bare-route.ts';
import { type Installation, install, type SeededOrganization, type Server } from './installation.ts';
import type { LoadRequest } from './load/request.ts';
import { type LoadResult, runLoad } from './load/run-load.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number, table } from './print.ts';
import { processorSeconds, treeProcessorSeconds } from './processor.ts';
import { uuidOf } from './site.ts';

const PER_SECOND = 200;
const CONNECTIONS = 64;
const CARDS = 200;
const VALUE_CENTS = 50_000;
const GIFTS_OF_AN_ORDER = 10;
/** The service declines then; Stripe waits two seconds. */
const LATE_MS = 1_500;
const GOAL_P99_MS = 100;

interface Run {
  load: number;
  answers: LoadResult;
  /** The same requests to a route that does nothing: what machine and generator cost. */
  bareRoute: LoadResult;
  approved: number;
  /** Processor time of an answer. */
  nodeMicroseconds: number;
  postgresMicroseconds: number;
}

export interface AuthorizationsResult {
  machine: Machine;
  seconds: number;
  runs: Run[];
}

interface Options {
  seconds: number;
  repeats: number;
  say(text: string): void;
}

/** Measures answers to 200 purchases a second, by the clock: service and client are separate processes. */
export async function runAuthorizations({ seconds, repeats, say }: Options): Promise<AuthorizationsResult> {
  const machine = describeMachine();
  const installation = await install();
  const stripe = await startStripe({ now: () => Date.now() });
  try {
    const [organization] = await installation.seed(1, 'live');
    if (organization === undefined) throw new Error('No organization was seeded.');
    const { linkSecret } = installation;
    const path = await chooseStripe(installation, { organization, stripe, linkSecret });
    const server = await installation.startServer({
      DATABASE_URL: installation.databaseUrl,
    });
    say(`claiming ${CARDS} gifts`);
    await claimGifts(server, organization);
    const runs: Run[] = [];
    // The first warms the compiler up.
    for (let run = 0; run <= repeats; run += 1) {
      say(run === 0 ? 'warming up' : `run ${run} of ${repeats}`);
      const measured = await measure(installation, server, questionsOf(stripe, path, run === 0 ? 5 : seconds));
      if (run > 0) runs.push(measured);
    }
    return { machine, seconds, runs };
  } finally {
    await installation.close();
    await stripe.close();
  }
}

interface Chosen {
  organization: SeededOrganization;
  stripe: Stripe;
  linkSecret: string;
}

/** @returns the path at which the provider asks */
async function chooseStripe({ sql }: Installation, { organization, stripe, linkSecret }: Chosen): Promise<string> {
  const issuerId = createIdGenerator(systemClock).next();
  const settings = {
    secret_key: stripe.secretKey,
    publishable_key: 'pk_live_of_the_fake',
    webhook_secret: stripe.questions.secret,
    terms_url: 'https://bank.example/terms',
    terms_version: TERMS_VERSION,
    api_base: stripe.url,
  };
  await sql.query(
    `insert into issuers (organization_id, issuer_id, kind, settings, created_at) values ($1, $2, 'stripe', $3, now())`,
    [uuidOf(organization), issuerId, createCipher([linkSecret]).encrypt(JSON.stringify(settings))],
  );
  return `/hooks/issuers/${organization.organization_id}/${encodeId('iss', issuerId)}/authorizations`;
}

async function claimGifts({ url }: Server, { key }: SeededOrganization): Promise<void> {
  const api = createApiClient(url, key);
  for (let claimed = 0; claimed < CARDS; claimed += GIFTS_OF_AN_ORDER) {
    const { body } = await api.order(Array.from({ length: GIFTS_OF_AN_ORDER }, () => linkGift(VALUE_CENTS)));
    for (const { delivery } of body.gifts) {
      const link: string = delivery.link;
      const form = new URLSearchParams(stripeForm);
      const answer = await fetch(`${url}${link.slice(link.indexOf('/g/'))}/claim`, {
        method: 'POST',
        redirect: 'manual',
        body: form,
      });
      if (answer.status !== 303) throw new Error(`A claim was answered with ${answer.status}.`);
    }
  }
}

/** Different purchases of a cent, already signed. */
function questionsOf({ account, questions }: Stripe, path: string, seconds: number): LoadRequest[] {
  const cards = account.all('issuing.card');
  return Array.from({ length: PER_SECOND * seconds }, (_, index) => {
    const purchase = newAuthorization(account, cards[index % cards.length], { category: 'bakeries', name: 'Shop' });
    purchase.pending_request = {
      amount: 1,
      amount_details: null,
      currency: 'usd',
      is_amount_controllable: false,
      merchant_amount: 1,
      merchant_currency: 'usd',
      network_risk_score: null,
    };
    const event = account.newEvent('issuing_authorization.request', purchase);
    // A request's length is counted in characters.
    const body = JSON.stringify(event, null, 2).replaceAll(/[^ -~\n]/g, '?');
    return { method: 'POST', path, body, headers: { 'Stripe-Signature': questions.sign(body) } };
  });
}

async function measure({ sql, postgresPid }: Installation, server: Server, requests: LoadRequest[]): Promise<Run> {
  const approvals = async () =>
    Number((await sql.query(`select count(*) from card_facts where kind = 'approved'`)).rows[0].count);
  const used = () => [processorSeconds(server.pid), treeProcessorSeconds(postgresPid)];
  const load = {
    requests,
    connections: CONNECTIONS,
    perSecond: PER_SECOND,
    lateMs: LATE_MS,
    seconds: requests.length / PER_SECOND,
  };
  const before = await approvals();
  const usedBefore = used();
  const [loadNow = 0] = loadavg();
  const answers = await runLoad(server.url, load);
  const [node = 0, postgres = 0] = used().map((now, n) => ((now - (usedBefore[n] ?? 0)) * 1e6) / requests.length);
  const approved = (await approvals()) - before;
  const bareRoute = await withBareRoute((url) => runLoad(url, load));
  return { load: loadNow, answers, bareRoute, approved, nodeMicroseconds: node, postgresMicroseconds: postgres };
}

export function presentAuthorizations({ machine, seconds, runs }: AuthorizationsResult): string {
  const lines = runs.map(({ load, answers, bareRoute, approved, nodeMicroseconds, postgresMicroseconds }) => [
    number(load, 1),
    ...[answers.p50Ms, answers.p99Ms, answers.p999Ms].map((ms) => number(ms, 1)),
    answers.p99Ms <= GOAL_P99_MS ? 'met' : 'not met',
    `${answers.late}`,
    `${approved} of ${answers.sent}`,
    `${number(bareRoute.p50Ms, 1)}, ${number(bareRoute.p99Ms, 1)}`,
    `${number(nodeMicroseconds)}, ${number(postgresMicroseconds)}`,
  ]);
  const heading = ['Load', 'p50, ms', 'p99', 'p99.9', `p99 ≤ ${GOAL_P99_MS}`, 'Late', 'Approved'];
  const more = ['Bare route p50, p99', 'Node, PostgreSQL µs'];
  return `${describe(machine)}\n\n${PER_SECOND} purchases a second for ${seconds} s, by the clock:\n\n${table([...heading, ...more], lines)}\n`;
}
