import type { Command } from 'commander';
import { reopenCard } from '../../core/card-proofs/reopen-card.ts';
import { takeBackGift } from '../../core/cards/take-back-gift.ts';
import { cancelGift } from '../../core/gifts/cancel/cancel-gift.ts';
import { undoClaim } from '../../core/gifts/claim/undo-claim.ts';
import { giftLink } from '../../core/gifts/gift/present-gift.ts';
import { findGiftOwner } from '../../core/gifts/hold/find-gift-owner.ts';
import { holdGift, releaseGift } from '../../core/gifts/hold/hold-gift.ts';
import { replaceLink, resendGift } from '../../core/gifts/send/send-again.ts';
import { createLinks } from '../../core/links/links.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { holdGifts, releaseGifts } from '../../core/organizations/hold-gifts.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameGift, nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseReason } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printOne, printRemark, type Row } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withAnyOrganization } from '../../faces/command-line/with-organization.ts';
import { actOn, actsWith, pageAct, type Subject } from '../../faces/operator-acts/operator-act.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import { UsageError } from '../../platform/base/operator-error.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { giftListCommands } from './gift-list.ts';
import { withIssuers } from './issuers-of-command.ts';

const GIFT = 'gift_01h455vb4pex5vsknk084sn02q';

const gift: Subject<Awaited<ReturnType<typeof findGiftOwner>>> = {
  tag: 'Gifts',
  path: '/gifts/{gift_id}',
  id: 'gift_id',
  example: GIFT,
  placeholder: 'GIFT',
  take: (command) => command.argument('<gift>', 'the gift (gift_…)'),
  find: (deps, { gift_id: id = '' }) => findGiftOwner(deps, id),
};

const asking = (question: (gift: string) => string) => async (deps: CommandDeps, id: string) =>
  question(await nameGift(deps, id));

const print = (options: OutputOptions, id: string, done: object, cells: Row) =>
  printOne(options, { gift_id: id, ...done }, () => ({ gift: id, ...cells }));

const sentTo = (address: string | null) => ({ 'sent again to': address === null ? null : maskAddress(address) });

/** For the page alone: one command holds a gift or all gifts of an organization. */
export const holdActs = {
  hold: pageAct(gift, {
    word: 'hold',
    operationId: 'holdGift',
    summary: 'Puts a gift on hold: no one can claim it, see its card or get a new link.',
    run: holdGift,
  }),
  release: pageAct(gift, {
    word: 'release',
    operationId: 'releaseGift',
    summary: 'Ends the hold of a gift.',
    run: releaseGift,
  }),
};

/** What else an operator can do to a gift. */
export const giftActs = {
  resend: actOn(gift, {
    word: 'resend',
    operationId: 'resendGift',
    summary: 'Sends an unclaimed gift again to its address. Earlier links stay valid.',
    help: 'send an unclaimed gift again to its address',
    does: 'Sends an unclaimed gift again. Earlier links stay valid.',
    run: async (deps, { scope, ...again }) => (await resendGift(deps, admitted(scope), again)).gift,
    print: (options, { method, address }, { id }) => print(options, id, { method, address }, sentTo(address)),
  }),

  newLink: actsWith(withLinks)(gift, {
    word: 'new-link',
    operationId: 'replaceGiftLink',
    summary:
      'Ends all links of an unclaimed gift and sends it again; a link gift’s new link is shown to its organization.',
    help: 'end all links of an unclaimed gift; send it again or show its new link',
    does: "Ends all links of an unclaimed gift. Shows a link gift's new one; sends others again.",
    confirms: asking((one) => `End all links of ${one}? Those that were sent no longer open it. ${FOR_EVER}`),
    run: async (deps, { scope, ...again }) => {
      const { gift } = await replaceLink(deps, admitted(scope), again);
      return { ...gift, link: gift.method === 'link' ? giftLink(deps.links, scope, gift) : null };
    },
    print: (options, { method, address, link }, { id }) =>
      print(options, id, { method, address, link }, { ...sentTo(address), link }),
  }),

  undoClaim: actsWith(withIssuers)(gift, {
    word: 'undo-claim',
    operationId: 'undoClaim',
    summary: 'Makes a gift claimable again whose card’s issuer never answers.',
    help: 'make a gift claimable again whose card’s issuer never answers',
    does: "Makes a gift claimable again whose card's [issuer never answers](issuers.md#when-an-issuer-never-answers-again).",
    confirms: asking((one) => `Undo the claim of ${one}? The recipient must claim it again.`),
    run: undoClaim,
    print: (options, _, { id }) => print(options, id, { claimable: true }, { claimable: true }),
  }),

  takeBack: actsWith(withIssuers)(gift, {
    word: 'take-back',
    operationId: 'takeBackGift',
    summary: 'Ends the card of a claimed gift at its issuer; what is left on it returns to the balance.',
    help: 'end the card of a claimed gift; what is left on it returns to the balance',
    does: 'Ends a claimed card at its issuer; what is left returns to the balance.',
    confirms: asking(
      (one) =>
        `Take back ${one}? The recipient can no longer use it, and what is left on its card returns to the balance. ${FOR_EVER}`,
    ),
    run: takeBackGift,
    print: (options, returned_cents, { id }) =>
      print(options, id, { returned_cents }, { 'returned cents': returned_cents }),
  }),

  reopenCard: actOn(gift, {
    word: 'reopen-card',
    operationId: 'reopenCard',
    summary: 'Lets another browser show a claimed card, once within 24 hours.',
    help: 'let another browser show the card of a claimed gift, once within a day',
    does: 'Lets another browser show a card, once within 24 hours.',
    confirms: asking(
      (one) =>
        `Reopen the card of ${one}? The next browser that opens the link can take the card, and the earlier one then no longer shows it.`,
    ),
    run: reopenCard,
    print: (options, until, { id }) => print(options, id, { reopened_until: until }, { 'reopened until': until }),
  }),

  cancel: actOn(gift, {
    word: 'cancel',
    operationId: 'cancelGift',
    summary: 'Cancels an unclaimed gift; its amount returns to the balance.',
    help: 'cancel an unclaimed gift; its amount returns to the balance',
    does: 'Cancels an unclaimed gift; its amount returns to the balance.',
    usage: '--reason TEXT',
    options: (command) =>
      command.option('--reason <text>', 'why it is canceled; recipients do not see it', parseReason),
    confirms: asking((one) => `Cancel ${one}? It becomes void, and its amount returns to the balance. ${FOR_EVER}`),
    run: async (deps, { scope, ...of }, { reason }) =>
      (await cancelGift(deps, admitted(scope), { ...of, reason })).gift,
    print: (options, { canceled_at, cancel_reason: reason, amount_cents: refunded_cents }, { id, currency }) =>
      print(
        options,
        id,
        { canceled_at, reason, refunded_cents },
        { canceled: canceled_at, reason, refunded: showMoney(refunded_cents, currency) },
      ),
  }),
};

async function withLinks(deps: CommandDeps) {
  const secrets = secretsFor('gifts', deps.config, await secretsForCommand(deps));
  return { ...deps, links: createLinks(secrets, () => addressOfServer(deps.config)) };
}

export function giftCommands(program: Command): void {
  const group = addGroup(program, 'gift', 'gifts: look up, hold, send again, cancel', `gift hold ${GIFT}`);
  giftListCommands(group);
  holdCommand(group, 'hold', 'put a gift on hold, or all unclaimed gifts of an organization', true);
  holdCommand(group, 'release', 'end the hold of a gift, or of an organization’s gifts', false);
  giftActs.resend.addTo(group);
  giftActs.undoClaim.addTo(group);
  giftActs.takeBack.addTo(group);
  giftActs.reopenCard.addTo(group);
  giftActs.cancel.addTo(group);
  giftActs.newLink.addTo(group);
}

/** The question before a hold; undefined if nothing changes. */
async function holding(deps: CommandDeps, gift: string | undefined, options: HoldOptions) {
  requireOne(gift, options);
  if (gift !== undefined)
    return `Put ${await nameGift(deps, gift)} on hold? No one can claim it, see its card or get a new link.`;
  const id = await identifyOrganization(deps, options.org);
  if ((await findOrganization(deps, id)).gifts_held_at !== null) return undefined;
  return `Put all unclaimed gifts of ${await nameOrganization(deps, id)} on hold? No one can claim them, and it can no longer order.`;
}

type HoldOptions = OutputOptions & { org?: string };

/** @throws UsageError */
function requireOne(gift: string | undefined, { org }: HoldOptions): void {
  if ((gift === undefined) === (org === undefined)) throw new UsageError('Give either a gift or --org.');
}

function holdCommand(group: Command, name: string, description: string, isOnHold: boolean): void {
  addCommand(group, name, description, `gift ${name} ${GIFT}`, isOnHold ? { confirms: holding } : {})
    .argument('[gift]', 'the gift (gift_…)')
    .addOption(organizationOption('instead of a gift: all unclaimed gifts of an organization, which then cannot order'))
    .action(async (gift: string | undefined, options: HoldOptions) => {
      const { org } = options;
      const actor = operator();
      requireOne(gift, options);
      const held = await withAnyOrganization(org, async (deps, organizationId) => {
        if (organizationId !== undefined) await (isOnHold ? holdGifts : releaseGifts)(deps, { organizationId, actor });
        if (gift === undefined) return { organization_id: organizationId, on_hold: isOnHold };
        const one = { ...(await findGiftOwner(deps, gift)), actor };
        if (isOnHold) await holdGift(deps, one);
        // With its organization’s gifts it stays on hold.
        return { gift_id: gift, on_hold: isOnHold || (await releaseGift(deps, one)) !== null };
      });
      if (held.on_hold && !isOnHold)
        printRemark(
          'All gifts of the organization are on hold, and this one with them: bestow gift release --org ORG ends that.',
        );
      printOne(options, held, () => ({
        [gift === undefined ? 'organization' : 'gift']: held.gift_id ?? held.organization_id ?? null,
        'on hold': held.on_hold,
      }));
    });
}
