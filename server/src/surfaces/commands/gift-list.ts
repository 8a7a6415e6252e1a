import { dateOf } from 'bestow-readers/time.ts';
import { type Command, Option } from 'commander';
import { statusOf } from '../../core/gifts/find/filter-gifts.ts';
import { type GiftSearch, searchGifts } from '../../core/gifts/find/search-gifts.ts';
import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { maskGiftAddress } from '../../core/gifts/gift/address.ts';
import type { GiftPage, GiftSummary } from '../../core/gifts/gift/portal-schema.ts';
import { type GiftHistoryState, giftStates } from '../../core/gifts/gift/state.ts';
import { findGiftOwner } from '../../core/gifts/hold/find-gift-owner.ts';
import {
  addCommand,
  environmentOption,
  limitOption,
  organizationOption,
} from '../../faces/command-line/add-command.ts';
import { listOfOrganization } from '../../faces/command-line/list-of-organization.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { findCommand } from './gift-find.ts';

const GIFT = 'gift_01h455vb4pex5vsknk084sn02q';

type ListOptions = OutputOptions &
  Pick<GiftSearch, 'status' | 'query'> & {
    org?: string;
    environment: Environment;
    limit: number;
    state?: GiftHistoryState;
    texts?: true;
  };

/** `gift list`, `gift find` and `gift show`. Addresses are masked and names left out; `export gifts` writes them, and is audited. */
export function giftListCommands(group: Command): void {
  listCommand(group);
  findCommand(group);
  showCommand(group);
}

function listCommand(group: Command): void {
  addCommand(
    group,
    'list',
    'list an organization’s gifts, newest first',
    'gift list --org org_01h455vb4pex5vsknk084sn02q --environment live --status failed',
  )
    .addOption(organizationOption())
    .addOption(environmentOption())
    .addOption(
      new Option('--status <status>', 'only of this status').choices([
        'sent',
        'failed',
        'opened',
        'claimed',
        'canceled',
        'scheduled',
      ]),
    )
    .addOption(new Option('--state <state>', 'only in this state of its history').choices(Object.keys(giftStates)))
    .option(
      '--query <text>',
      'an id, external id or whole address; or the start of an address, digits of a number, or part of a name',
    )
    .option('--texts', 'with --query look inside texts, also if it is an external id or a whole address')
    .addOption(limitOption())
    .action(async ({ status, state, query, texts, ...options }: ListOptions) => {
      const within = texts ? 'texts' : undefined;
      let isExternalId = false;
      const { rows, currency } = await listOfOrganization(options, async (deps, scope, page) => {
        const found = await searchGifts(deps, scope, { ...page, status: status ?? statusOf(state), query, within });
        isExternalId = found.found_by === 'external_id';
        return { ...found, rows: found.rows.filter((gift) => state === undefined || gift.state === state) };
      });
      printMany(options, rows.map(withoutPerson), (gift) => ({
        gift: gift.gift_id,
        state: gift.state,
        amount: showMoney(gift.amount, currency),
        category: gift.category.id,
        method: gift.method,
        address: gift.address,
        created: gift.created_at,
      }));
      if (isExternalId && !options.json)
        printRemark('These gifts have this external id. With --texts the command looks inside texts too.');
    });
}

function showCommand(group: Command): void {
  addCommand(group, 'show', 'show a gift and its timeline', `gift show ${GIFT}`)
    .argument('<gift>', 'the gift (gift_…)')
    .action(async (id: string, options: OutputOptions) => {
      const found = await withDatabase(async (deps) => {
        const { scope, giftId } = await findGiftOwner(deps, id);
        const { gift, history, timeline } = await showGiftPage(deps, scope, giftId);
        return { ...presentOwner(scope), gift, history, timeline, currency: deps.config.currency };
      });
      const { currency, gift, history, timeline, ...owner } = found;
      const { message: _, ...shown } = withoutPerson(gift);
      const events = timeline.map(withoutAddress);
      printOne(options, { ...owner, gift: shown, history, timeline: events }, () => ({
        gift: shown.gift_id,
        order: shown.order_id,
        organization: owner.organization_id,
        environment: owner.environment,
        state: history.state,
        amount: showMoney(shown.amount, currency),
        spent: showMoney(history.spent.amount, currency),
        category: shown.category.id,
        method: shown.method,
        address: shown.address,
        'scheduled for': shown.scheduled_for,
        expires: isOver(shown) ? null : history.expires_at,
        'on hold since': history.held_since,
        'failed because': shown.failure_reason,
        'try again': history.failure?.retryable ?? null,
      }));
      if (options.json) return;
      process.stdout.write('\n');
      const steps = events.flatMap((event) => stepsOf(event, currency));
      steps.sort((one, other) => one.when.getTime() - other.when.getTime());
      printMany(options, steps, (step) => step);
    });
}

const isOver = ({ claimed_at, canceled_at }: Pick<GiftSummary, 'claimed_at' | 'canceled_at'>) =>
  claimed_at !== null || canceled_at !== null;

type Owner = { organizationId: string; environment: Environment };

const presentOwner = ({ organizationId, environment }: Owner) => ({
  organization_id: encodeId('org', organizationId),
  environment,
});

function withoutPerson<Gift extends GiftSummary>({ recipient_name: _, ...gift }: Gift) {
  return { ...gift, address: maskGiftAddress(gift.address) };
}

type GiftEvent = GiftPage['timeline'][number];

function withoutAddress(event: GiftEvent): GiftEvent {
  if (event.kind === 'delivery') return { ...event, address: maskGiftAddress(event.address) };
  return event.kind === 'thanked' ? { ...event, note: null } : event;
}

type Step = { when: Date; what: string };

/** A message is written or sent, and arrives or fails at another time. */
function stepsOf(event: GiftEvent, currency: string): Step[] {
  if (event.kind !== 'delivery') return [{ when: event.at, what: describe(event, currency) }];
  const { channel, number, address, state, provider, failure, sent_at, delivered_at, failed_at } = event;
  const message = `${channel} ${number} to ${address ?? 'an erased address'}`;
  const accepted = provider === 'outbox' ? 'kept in the outbox' : 'sent';
  const begun = sent_at !== null || state === 'delivered' ? accepted : state === 'sending' ? 'sending' : 'tried';
  const why =
    failure === null
      ? ''
      : `, ${failure.reason}${failure.provider_message === null ? '' : `: ${failure.provider_message}`}`;
  const by = provider === null || provider === 'outbox' ? '' : ` by ${provider}`;
  const settledAt = delivered_at ?? failed_at;
  const first = {
    when: sent_at === null ? event.at : dateOf(sent_at),
    what: `${message}: ${begun}${by}${settledAt === null ? why : ''}`,
  };
  return settledAt === null ? [first] : [first, { when: dateOf(settledAt), what: `${message}: ${state}${why}` }];
}

function describe(event: Exclude<GiftEvent, { kind: 'delivery' }>, currency: string): string {
  switch (event.kind) {
    case 'spent':
      return `spent ${showMoney(event.amount, currency)} at ${event.merchant}`;
    case 'claimed':
      return `claimed onto ${event.card_id}`;
    case 'canceled':
      return `canceled, ${showMoney(event.refunded, currency)} refunded${event.reason === null ? '' : `: ${event.reason}`}`;
    case 'held':
      return 'put on hold';
    case 'erased':
      return 'recipient erased';
    default:
      return event.kind;
  }
}
