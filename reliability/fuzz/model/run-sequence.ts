import assert from 'node:assert/strict';
import { activateMember } from '../../../server/src/core/organizations/activate-member.ts';
import { deactivateMember } from '../../../server/src/core/organizations/deactivate-member.ts';
import type { Answer } from '../../../server/test/harness/api-client.ts';
import { balanceOf } from '../../../server/test/harness/ledger.ts';
import { OPERATOR } from '../../../server/test/harness/operator.ts';
import { assertCommonHeaders, assertRefused } from '../../../server/test/harness/raw-http.ts';
import type { TestOrganization, TestService } from '../../../server/test/harness/test-service.ts';
import { type Exchange, NO_ANSWER } from '../exchange.ts';
import { type Call, type Cursor, FOREIGN, type NewGift, type Pick, type ScopedCall, type Sequence } from './calls.ts';
import { page } from './lists.ts';
import { type Expected, Model, type ModelOrder, statusOf } from './model.ts';

/** Two services on one database, and ids of another organization. */
export interface Stage {
  services: [TestService, TestService];
  foreign: { orders: string; gifts: string };
  categories: unknown;
}

const START_CENTS = { live: 30_000, sandbox: 150_000 };
const LATE_MS = 1_000;
const MOST_READS = 500;

/** Runs one sequence on a new organization. @throws AssertionError if an answer differs from the model's */
export class SequenceRun {
  /** The calls and answers as text. */
  readonly log: string[] = [];
  readonly #stage: Stage;
  readonly #send: Exchange;
  readonly #organization: TestOrganization;
  readonly #models: { live: Model; sandbox: Model };
  readonly #processes: number;
  #sent = 0;

  static async start(stage: Stage, send: Exchange, { processes }: Sequence): Promise<SequenceRun> {
    return new SequenceRun(stage, send, processes, await stage.services[0].organization(START_CENTS));
  }

  private constructor(stage: Stage, send: Exchange, processes: number, organization: TestOrganization) {
    this.#stage = stage;
    this.#send = send;
    this.#processes = processes;
    this.#organization = organization;
    const { linkTtlMs } = stage.services[0].service.deps.config;
    this.#models = { live: new Model(true, linkTtlMs), sandbox: new Model(false, linkTtlMs) };
    this.#models.live.fund(START_CENTS.live);
    this.#models.sandbox.fund(START_CENTS.sandbox);
  }

  async perform(call: ScopedCall): Promise<void> {
    const model = this.#models[call.isLive ? 'live' : 'sandbox'];
    switch (call.call) {
      case 'nothing':
        return;
      case 'categories':
        return this.#expect(call, 'GET', '/v1/categories', undefined, () => ({
          status: 200,
          body: this.#stage.categories,
        }));
      case 'order':
        return this.#order(call.isLive, `key ${call.key}`, call.gifts);
      case 'replay':
        return this.#replay(call, model);
      case 'retrieve':
        return this.#retrieve(call, model);
      case 'list':
        return this.#list(call, model);
      case 'redirect': {
        const failed = call.isOfFailed ? model.gifts.filter((one) => statusOf(one) === 'failed') : [];
        const gift = pickOf(failed.length > 0 ? failed : model.gifts, call.pick);
        const path = `/v1/gifts/${gift?.gift_id ?? this.#stage.foreign.gifts}/delivery`;
        for (let time = 0; time < call.times; time += 1)
          await this.#expect(call, 'PUT', path, call.to, () => model.redirect(gift, call.to));
        return;
      }
      case 'simulate': {
        const gift = pickOf(model.gifts, call.pick);
        const act = call.act === 'fail' ? 'deliver' : call.act;
        const path = `/v1/sandbox/gifts/${gift?.gift_id ?? this.#stage.foreign.gifts}/${act}`;
        const body = call.act === 'fail' ? { outcome: 'failed' } : undefined;
        return this.#expect(call, 'POST', path, body, () => model.simulate(gift, call.act));
      }
      case 'reset':
        return this.#expect(call, 'POST', '/v1/sandbox/reset', undefined, () => model.reset());
      case 'fund':
        this.log.push(`funds: ${call.cents}`);
        model.fund(call.cents);
        return this.#organization.fund(call.isLive ? 'live' : 'sandbox', call.cents);
      case 'member':
        return this.#setMember(call.isActive);
      case 'wait':
        return this.#wait(call.ms);
    }
  }

  /** Checks the lists, the uniqueness of ids, and the balance. */
  async end(): Promise<void> {
    for (const isLive of [true, false]) {
      const model = this.#models[isLive ? 'live' : 'sandbox'];
      for (const kind of ['orders', 'gifts'] as const)
        await this.perform({ call: 'list', kind, limit: '100', cursors: [], isLive });
      const ids = [...model.orders.map(({ order_id }) => order_id), ...model.gifts.map(({ gift_id }) => gift_id)];
      assert.equal(new Set(ids).size, ids.length, 'no two things have one id');
      for (const id of ids) assert.match(id, /^(?:ord|gift)_[0-9a-hjkmnp-tv-z]{26}$/);
      const [service] = this.#stage.services;
      const balance = await balanceOf(service, this.#organization, isLive ? 'live' : 'sandbox');
      assert.equal(balance, model.balanceCents, 'the balance');
    }
  }

  async #order(isLive: boolean, key: string, gifts: NewGift[], sent: unknown = { gifts }): Promise<void> {
    const model = this.#models[isLive ? 'live' : 'sandbox'];
    const call = { isLive, key };
    const decided = model.order(key, gifts, this.#nowMs());
    if (!('place' in Object(decided))) return this.#expect(call, 'POST', '/v1/orders', sent, () => decided as Expected);
    const { place } = decided as { place(shown: Answer['body']): Expected };
    await this.#expect(call, 'POST', '/v1/orders', sent, ({ status, body }) =>
      place(status === 201 ? body : undefined),
    );
    const order = model.orders.at(-1);
    // After a lost answer a client retries.
    if (order?.order_id === '')
      await this.#expect(call, 'POST', '/v1/orders', sent, ({ status, body }) => {
        if (status === 200) model.learn(order, body);
        return { status: 200, body: model.showOrder(order), isReplay: true };
      });
  }

  #replay({ pick, isChanged, isLive }: Call & { call: 'replay'; isLive: boolean }, model: Model): Promise<void> {
    const order = pickOf(model.orders, pick);
    if (order === undefined) return Promise.resolve();
    const more: NewGift = { amount: 1000, category: 'coffee', delivery: { method: 'link' } };
    const gifts = isChanged ? [...order.sent, more] : order.sent;
    const reordered = gifts.map((gift) => Object.fromEntries(Object.entries(gift).toReversed()));
    return this.#order(isLive, order.key, gifts, { gifts: reordered });
  }

  #retrieve(call: Call & { call: 'retrieve'; isLive: boolean }, model: Model): Promise<void> {
    const missing: Expected = { code: 'resource_missing' };
    if (call.kind === 'orders') {
      const order = pickOf(model.orders, call.pick);
      const path = `/v1/orders/${order?.order_id ?? this.#stage.foreign.orders}`;
      return this.#expect(call, 'GET', path, undefined, () =>
        order === undefined ? missing : { status: 200, body: model.showOrder(order) },
      );
    }
    const gift = pickOf(model.gifts, call.pick);
    const path = `/v1/gifts/${gift?.gift_id ?? this.#stage.foreign.gifts}`;
    return this.#expect(call, 'GET', path, undefined, ({ status, body }) =>
      gift === undefined ? missing : model.retrieveGift(gift, this.#nowMs(), status === 200 ? body : undefined),
    );
  }

  #list(call: Call & { call: 'list'; isLive: boolean }, model: Model): Promise<void> {
    const { kind, limit, cursors } = call;
    const items =
      kind === 'orders'
        ? model.orders.toReversed().map((order) => ({ id: order.order_id, shown: model.showOrder(order) }))
        : model.gifts.map((gift) => ({ id: gift.gift_id, shown: model.showGift(gift) }));
    const textOf = ({ value }: Cursor) =>
      typeof value === 'string' ? value : (pickOf(items, value)?.id ?? this.#stage.foreign[kind]);
    const query = new Map(cursors.map((cursor) => [cursor.name, textOf(cursor)]));
    const search = new URLSearchParams([
      ...query,
      ...(limit === undefined ? [] : [['limit', limit] as [string, string]]),
    ]);
    return this.#expect(call, 'GET', `/v1/${kind}?${search}`, undefined, () =>
      page(items, { limit, starting_after: query.get('starting_after'), ending_before: query.get('ending_before') }),
    );
  }

  async #setMember(isActive: boolean): Promise<void> {
    this.log.push(`member: ${isActive ? 'active' : 'deactivated'}`);
    const { deps } = this.#stage.services[0].service;
    const { organizationId, memberId } = this.#organization;
    const change = { organizationId, memberId, actor: OPERATOR };
    if (isActive) await activateMember(deps, change);
    else await deactivateMember(deps, { ...change, keepsAdmin: false });
    for (const model of Object.values(this.#models)) model.hasMember = isActive;
  }

  async #wait(ms: number): Promise<void> {
    this.log.push(`wait: ${ms} ms`);
    const { clock } = this.#stage.services[0];
    // Jobs that are due run once, at the end.
    if (ms > LATE_MS) await clock.jump(ms - LATE_MS);
    await clock.advance(Math.min(ms, LATE_MS));
    for (const isLive of [true, false])
      for (const order of this.#models[isLive ? 'live' : 'sandbox'].orders)
        if (order.completesAtMs !== undefined && order.completesAtMs <= this.#nowMs())
          await this.#complete(isLive, order);
  }

  /** Waits for the job that completes the order. */
  async #complete(isLive: boolean, order: ModelOrder): Promise<void> {
    const model = this.#models[isLive ? 'live' : 'sandbox'];
    const path = `/v1/orders/${order.order_id}`;
    for (let reads = 1; reads <= MOST_READS; reads += 1) {
      const { body } = await this.#call({ isLive }, 'GET', path, undefined);
      if (body?.status === 'processed') break;
      if (reads % 50 === 0) await this.#stage.services[0].clock.advance(LATE_MS);
    }
    await this.#expect({ isLive }, 'GET', path, undefined, ({ body }) => {
      model.complete(order, body);
      return { status: 200, body: model.showOrder(order) };
    });
  }

  #nowMs = () => this.#stage.services[0].clock.now();

  #call({ isLive, key }: { isLive: boolean; key?: string }, method: string, path: string, body: unknown) {
    const service = this.#stage.services[this.#sent % this.#processes] as TestService;
    this.#sent += 1;
    return this.#send({
      operationId: `${method} ${path.replace(/\?.*/, '').replace(/(?:ord|gift)_\w+/, '{id}')}`,
      url: service.url,
      method,
      path,
      headers: {
        Authorization: `Bearer ${this.#organization.keys[isLive ? 'live' : 'sandbox']}`,
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  async #expect(
    call: { isLive: boolean; key?: string | number },
    method: string,
    path: string,
    body: unknown,
    expectedOf: (answer: Answer) => Expected,
  ): Promise<void> {
    const scope = { isLive: call.isLive, ...(typeof call.key === 'string' ? { key: call.key } : {}) };
    const answer = await this.#call(scope, method, path, body);
    const key = scope.key === undefined ? '' : ` (${scope.key})`;
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    const outcome = answer.body?.error?.code ?? '';
    this.log.push(`${call.isLive ? 'live ' : ''}${method} ${path}${key}${sent} → ${answer.status} ${outcome}`);
    assertExpected(answer, expectedOf(answer));
  }
}

/** Picks an item, or undefined for one of another organization. */
const pickOf = <Item>(items: Item[], pick: Pick): Item | undefined =>
  pick >= FOREIGN ? undefined : items[pick % items.length];

function assertExpected(answer: Answer, expected: Expected): void {
  if (expected === 'no answer') {
    assert.equal(answer.status, NO_ANSWER, 'the answer is lost');
    return;
  }
  if ('code' in expected) {
    assertRefused(answer, expected.code, expected.param);
    return;
  }
  const replayed = expected.isReplay ? 'true' : null;
  assert.deepEqual(
    { status: answer.status, replayed: answer.headers.get('idempotent-replayed'), body: answer.body },
    { status: expected.status, replayed, body: expected.body },
  );
  assertCommonHeaders(answer);
}
