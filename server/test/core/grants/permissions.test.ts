import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { declarations, type ToolName } from '../../../src/capabilities/mcp/declarations.ts';
import { PERMISSIONS, type Permission } from '../../../src/platform/authentication/permissions.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { everything, grantOf } from '../../harness/agent-grant.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Every tool with every permission, on what the grant ordered and on what others ordered.

const service = openForFile(() => startTestService({ RATE_LIMIT_KEY_PER_SECOND: '100000' }));

type Whose = 'own' | 'foreign';

const organization = openForFile(() => service.organization({ sandbox: 100_000_000 }));
const grant = openForFile(() => grantOf(service, organization, everything));
const connect = () => connectAgent(service.url, grant.token);
const ids: Record<Whose, { order_id: string; gift_ids: string[] }[]> = { own: [], foreign: [] };

const sendAt = '2026-12-24T09:00:00Z';
/** A failed email, an email, a link and a gift that is sent later. */
const GIFTS = [
  { ...emailGift('delivery-failed') },
  emailGift('delivered'),
  linkGift(),
  gift({ delivery: { method: 'email', email: 'delivered@sandbox.gift.test' }, send_at: sendAt }),
];
const [FAILED, SENT, LINK, WAITING] = [0, 1, 2, 3];

const read = ({ body }: { body: { order_id: string; gifts: { gift_id: string }[] } }) => ({
  order_id: body.order_id,
  gift_ids: body.gifts.map(({ gift_id }) => gift_id),
});

/** An order for each combination, so that every act finds its gift as it was bought. */
const COMBINATIONS = 2 * (PERMISSIONS.length + 2);
const CHANGES = ['cancel_gift', 'cancel_order', 'resend_gift', 'redirect_gift', 'replace_link', 'schedule_gift'];

before(async () => {
  const agent = await connect();
  for (let count = 0; count < COMBINATIONS * CHANGES.length; count += 1) {
    ids.own.push(read(await agent.call('place_order', await agent.preview({ gifts: GIFTS }))));
    ids.foreign.push(read(await organization.sandbox.order(GIFTS)));
  }
});

/** No act of the service changes a grant: another one would not have ordered the same. */
const regrant = (permissions: readonly Permission[], reach: 'own' | 'all') =>
  service.sql('update agent_grants set permissions = $1, reaches_all = $2 where grant_id = $3', [
    permissions,
    reach === 'all',
    decodeId('grant', grant.grant_id),
  ]);

/** Asks for an order that waits; returns the id of the request. */
async function ask(agent: Agent): Promise<string> {
  const askAbove = (cents: number | null) =>
    service.sql('update agent_grants set ask_above_cents = $1 where grant_id = $2', [
      cents,
      decodeId('grant', grant.grant_id),
    ]);
  await askAbove(0);
  const { body } = await agent.call('place_order', await agent.preview({ gifts: [linkGift()] }));
  await askAbove(null);
  return body.order_request_id;
}

type Bought = (typeof ids)['own'][number];

/** The arguments of each tool that is about one order or gift. */
const about: Partial<Record<ToolName, (bought: Bought) => object>> = {
  get_order: ({ order_id }) => ({ order_id }),
  get_gift: ({ gift_ids }) => ({ gift_id: gift_ids[LINK] }),
  cancel_gift: ({ gift_ids }) => ({ gift_id: gift_ids[LINK] }),
  cancel_order: ({ order_id }) => ({ order_id }),
  resend_gift: ({ gift_ids }) => ({ gift_id: gift_ids[SENT] }),
  redirect_gift: ({ gift_ids }) => ({
    gift_id: gift_ids[FAILED],
    delivery: { method: 'email', email: 'mallory@sandbox.gift.test' },
  }),
  replace_link: ({ gift_ids }) => ({ gift_id: gift_ids[LINK] }),
  schedule_gift: ({ gift_ids }) => ({ gift_id: gift_ids[WAITING], send_at: '2026-12-25T09:00:00Z' }),
};

/** Tools that read several; the answer has the id of an order. */
const lists: Partial<Record<ToolName, object>> = {
  list_gifts: { limit: 100 },
  list_orders: { limit: 100 },
  wait_for_events: { after: 0, limit: 1000, wait: 0 },
};

const others: Partial<Record<ToolName, object>> = {
  list_categories: {},
  get_balance: {},
  list_balance_entries: {},
  search_docs: { query: 'retry' },
};

/** What must not be in the answer of a grant without links: a link, or the local part of an address. */
const SECRETS = /\/g\/[\w-]{20}|delivery-failed@|delivered@|mallory@/;

const combinations = [[], ...PERMISSIONS.map((one) => [one]), [...PERMISSIONS]].flatMap((permissions) =>
  (['own', 'all'] as const).map((reach) => [permissions, reach] as const),
);

for (const [index, [permissions, reach]] of combinations.entries()) {
  const has = (name: ToolName) => {
    const { needs } = declarations[name];
    return needs === 'read' || (needs === 'all' ? reach === 'all' : (permissions as string[]).includes(needs));
  };
  const named = permissions.length === 0 ? 'reading only' : permissions.join(', ');

  test(`with ${named} and reach ${reach}, each tool does what the grant includes and nothing else`, async () => {
    const agent = await connect();
    await regrant([...PERMISSIONS], 'own');
    const previewed = await agent.preview({ gifts: [linkGift()] });
    const order_request_id = await ask(agent);
    await regrant(permissions, reach);
    const { tools } = await agent.client.listTools();
    const names = Object.keys(declarations) as ToolName[];
    assert.deepEqual(tools.map(({ name }) => name).sort(), names.filter(has).sort());

    for (const name of names) {
      const answers: string[] = [];
      const call = async (given: object) => {
        const answer = await agent.call(name, given);
        answers.push(JSON.stringify(answer.body));
        return answer;
      };
      const refused = ({ isError, body }: Awaited<ReturnType<typeof call>>, why: string) => {
        assert.deepEqual([isError, body.error?.code], [true, 'not_granted'], `${name} ${why}`);
        assert.match(body.error.message, /^This agent’s grant does not include .+\. An admin can create a grant/);
        assert.match(body.error.next_step, /only an admin of the organization can grant more/);
      };
      if (name in about)
        for (const whose of ['own', 'foreign'] as const) {
          const slot = index * CHANGES.length + Math.max(0, CHANGES.indexOf(name));
          const bought = ids[whose][slot] ?? assert.fail('no order');
          const before = await organization.sandbox.get(`/v1/orders/${bought.order_id}`);
          const answer = await call(about[name]?.(bought) ?? {});
          const isHidden = whose === 'foreign' && reach === 'own';
          if (has(name) && !isHidden) assert.equal(answer.isError, false, `${name} ${whose} ${answers.join()}`);
          else if (isHidden && answer.body.error?.code === 'resource_missing') assert.ok(true);
          else refused(answer, whose);
          const after = await organization.sandbox.get(`/v1/orders/${bought.order_id}`);
          if (answer.isError) assert.deepEqual(after.body, before.body, `${name} ${whose}`);
        }
      else if (name in lists) {
        const answer = await call(lists[name] ?? {});
        if (!has(name)) refused(answer, 'list');
        else {
          const text = answers.join();
          assert.ok(ids.own.some(({ order_id, gift_ids }) => [order_id, ...gift_ids].some((id) => text.includes(id))));
          const seesOthers = ids.foreign.some(({ order_id, gift_ids }) =>
            [order_id, ...gift_ids].some((id) => text.includes(id)),
          );
          assert.equal(seesOthers, reach === 'all', name);
        }
      } else {
        const spent = await balanceOf(service, organization, 'sandbox');
        const given: Partial<Record<ToolName, object>> = {
          place_order: previewed,
          preview_order: { gifts: [linkGift()] },
          get_order_request: { order_request_id },
        };
        const answer = await call(others[name] ?? given[name] ?? {});
        if (has(name)) assert.equal(answer.isError, false, `${name} ${answers.join()}`);
        else refused(answer, '');
        const isBought = name === 'place_order' && has(name);
        assert.equal(spent - (await balanceOf(service, organization, 'sandbox')), isBought ? 2_500 : 0);
        if (name === 'get_balance') assert.equal(/"(order|gift)_id"/.test(answers.join()), reach === 'all');
      }
      if (!(permissions as string[]).includes('links')) assert.doesNotMatch(answers.join(), SECRETS, name);
    }
  });
}

test('a link and an address are seen with the permission only', async () => {
  const agent = await connect();
  const bought = ids.own.at(-1) ?? assert.fail('no order');
  const deliveries = async () => {
    const { body } = await agent.call('get_order', { order_id: bought.order_id });
    return body.gifts.map(({ delivery }: { delivery: object }) => delivery);
  };
  await regrant([], 'own');
  const [failed, , link] = await deliveries();
  assert.equal(failed.email, 'd•••@s•••.test');
  assert.deepEqual(Object.keys(link), ['method', 'status']);
  await regrant(['links'], 'own');
  const [seen, , open] = await deliveries();
  assert.equal(seen.email, 'delivery-failed@sandbox.gift.test');
  assert.equal((await fetch(open.link, { redirect: 'manual' })).status < 400, true);
});

test('afterwards every balance and ledger is right', async () => {
  await verifyAll(service);
});
