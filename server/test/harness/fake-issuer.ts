import { createHmac } from 'node:crypto';
import type { Adapters } from '../../src/capabilities/issuers/adapter.ts';
import { adapters } from '../../src/capabilities/issuers/adapters.ts';
import { createIssuers } from '../../src/capabilities/issuers/open-issuers.ts';
import type {
  CardAtIssuer,
  Fact,
  FundingBalance,
  IssueOutcome,
  IssueRequest,
  IssuerCall,
  RemoteIssuer,
} from '../../src/core/issuer/port.ts';
import type { Requirements } from '../../src/core/issuer/requirements.ts';
import type { TestOrganization, TestService } from './test-service.ts';

type State = 'inactive' | 'active' | 'closed';

type Call = 'issue' | 'activate' | 'close';

/** A provider of cards in the test's memory, which several processes share. */
export interface FakeProvider {
  /** By the provider's id. */
  cards: Map<string, { request: IssueRequest; state: State }>;
  /** Runs before each call, and may throw or wait. */
  before(call: Call): Promise<void> | void;
  /** Runs after each call had its effect. */
  after(call: Call): Promise<void> | void;
  /** What happened to cards, for `reconcile`. */
  facts: Fact[];
  /** Replaces the outcome of a new card. */
  outcome: IssueOutcome | undefined;
  requirements: Requirements | undefined;
  funds: FundingBalance | undefined;
  /** Whether it answers to `test` and `fundingBalance`. */
  answers: boolean;
}

const createFakeProvider = (): FakeProvider => ({
  cards: new Map(),
  before: () => undefined,
  after: () => undefined,
  facts: [],
  outcome: undefined,
  requirements: undefined,
  funds: undefined,
  answers: true,
});

const requireAnswer = ({ answers }: FakeProvider) => {
  if (!answers) throw new Error('The provider does not answer.');
};

const FACE = { brand: 'Fake', lastFour: '4242', expires: { month: 11, year: 2030 } };

const isSigned = ({ headers, body }: IssuerCall) => headers['fake-signature'] === sign(body);

/** The header that a call of the provider carries. */
export const sign = (body: string): string => createHmac('sha256', 'a secret of the fake').update(body).digest('hex');

/** The port on the provider. */
function fakeIssuer(provider: FakeProvider): RemoteIssuer {
  const change = async (call: 'activate' | 'close', { providerId }: CardAtIssuer, state: State) => {
    await provider.before(call);
    const card = provider.cards.get(providerId);
    if (card === undefined) throw new Error(`There is no card ${providerId}.`);
    if (card.state !== 'closed') card.state = state;
    await provider.after(call);
  };
  return {
    isLocal: false,
    capabilities: {
      kind: 'card',
      isReal: true,
    },
    requirements: () => provider.requirements,
    async issue(request) {
      await provider.before('issue');
      const providerId = `fake_${request.idempotencyKey}`;
      const isNew = !provider.cards.has(providerId);
      if (isNew && provider.outcome !== undefined) return provider.outcome;
      if (isNew) provider.cards.set(providerId, { request, state: 'inactive' });
      await provider.after('issue');
      return { state: 'issued', providerId, face: FACE };
    },
    activate: (card) => change('activate', card, 'active'),
    async close(card) {
      await change('close', card, 'closed');
      return true;
    },
    present: async ({ issued }, isRevealed) => ({
      kind: 'frame',
      face: issued?.face ?? FACE,
      url: isRevealed ? `https://fake.example/${issued?.providerId}` : undefined,
    }),
    test: async () => requireAnswer(provider),
    async decide(call, judge) {
      if (!isSigned(call)) return { status: 401, headers: {}, body: '' };
      const { at, ...asked } = JSON.parse(call.body);
      const approved = await judge({ ...asked, at: new Date(at) });
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ approved }) };
    },
    verify: async (call) => (isSigned(call) ? JSON.parse(call.body).eventId : undefined),
    ingest: async (body) => JSON.parse(body).facts.map((fact: Fact) => ({ ...fact, at: new Date(fact.at) })),
    async *reconcile(since) {
      for (const fact of provider.facts) if (fact.at >= since) yield fact;
    },
    async *listCards() {
      for (const [providerId, { request, state }] of provider.cards)
        yield { providerId, giftId: request.giftId, isOpen: state !== 'closed' };
    },
    async fundingBalance() {
      requireAnswer(provider);
      return provider.funds;
    },
  };
}

const providers = new Map<string, FakeProvider>();

const all: Adapters = {
  ...adapters,
  fake: {
    name: 'Fake',
    description: 'cards of a test',
    settings: { provider: { meaning: 'which one', example: 'one' } },
    load: async () => ({
      create({ provider = '' }) {
        const found = providers.get(provider);
        if (found === undefined) throw new Error(`There is no provider ${provider}.`);
        return fakeIssuer(found);
      },
    }),
  },
};

/** Chooses a new fake for all live gifts of an organization, and lets these services know it. */
export async function chooseFake(
  [first, ...more]: [TestService, ...TestService[]],
  { organizationUuid }: TestOrganization,
): Promise<FakeProvider & { issuerId: string }> {
  for (const { service } of [first, ...more]) Object.assign(service.deps.issuers, createIssuers(service.deps, all));
  const { deps } = first.service;
  const issuerId = deps.ids.next();
  const provider = createFakeProvider();
  providers.set(issuerId, provider);
  await first.sql(
    `insert into issuers (organization_id, issuer_id, kind, settings, created_at) values ($1, $2, 'fake', $3, $4)`,
    [
      organizationUuid,
      issuerId,
      deps.cipher.encrypt(JSON.stringify({ provider: issuerId })),
      new Date(deps.clock.now()),
    ],
  );
  return Object.assign(provider, { issuerId });
}
