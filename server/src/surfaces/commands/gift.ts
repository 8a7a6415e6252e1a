import type { Command } from 'commander';
import { reopenCard } from '../../core/card-proofs/reopen-card.ts';
import { takeBackGift } from '../../core/cards/take-back-gift.ts';
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
import { type OutputOptions, printOne, printRemark } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withAnyOrganization } from '../../faces/command-line/with-organization.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import { UsageError } from '../../platform/base/operator-error.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { cancelGiftCommand } from './cancel.ts';
import { giftListCommands } from './gift-list.ts';
import { withIssuers } from './issuers-of-command.ts';

const GIFT = 'gift_01h455vb4pex5vsknk084sn02q';

export function giftCommands(program: Command): void {
  const group = addGroup(program, 'gift', 'gifts: look up, hold, send again, cancel', `gift hold ${GIFT}`);
  giftListCommands(group);
  holdCommand(group, 'hold', 'put a gift on hold, or all unclaimed gifts of an organization', true);
  holdCommand(group, 'release', 'end the hold of a gift, or of an organization’s gifts', false);

  resendCommand(group);
  undoClaimCommand(group);
  takeBackCommand(group);
  reopenCardCommand(group);
  cancelGiftCommand(group);

  addCommand(
    group,
    'new-link',
    'end all links of an unclaimed gift; send it again or show its new link',
    `gift new-link ${GIFT}`,
    { confirms: newLink },
  )
    .argument('<gift>', 'the gift (gift_…)')
    .action(async (id: string, options: OutputOptions) => {
      const replaced = await withDatabase(async (deps) => {
        const { scope, giftId } = await findGiftOwner(deps, id);
        // Before the change, because without the secret the link cannot be shown.
        const secrets = secretsFor('gifts', deps.config, await secretsForCommand(deps));
        const links = createLinks(secrets, () => addressOfServer(deps.config));
        const { gift } = await replaceLink(deps, admitted(scope), { giftId, actor: operator() });
        const { method, address } = gift;
        return { gift_id: id, method, address, link: method === 'link' ? giftLink(links, scope, gift) : null };
      });
      printOne(options, replaced, ({ address, link }) => ({
        gift: id,
        'sent again to': address === null ? null : maskAddress(address),
        link,
      }));
    });
}

function resendCommand(group: Command): void {
  addCommand(group, 'resend', 'send an unclaimed gift again to its address', `gift resend ${GIFT}`)
    .argument('<gift>', 'the gift (gift_…)')
    .action(async (id: string, options: OutputOptions) => {
      const { method, address } = await withDatabase(async (deps) => {
        const { scope, giftId } = await findGiftOwner(deps, id);
        return (await resendGift(deps, admitted(scope), { giftId, actor: operator() })).gift;
      });
      printOne(options, { gift_id: id, method, address }, () => ({
        gift: id,
        'sent again to': address === null ? null : maskAddress(address),
      }));
    });
}

function undoClaimCommand(group: Command): void {
  addCommand(
    group,
    'undo-claim',
    'make a gift claimable again whose card’s issuer never answers',
    `gift undo-claim ${GIFT}`,
    { confirms: undoing },
  )
    .argument('<gift>', 'the gift (gift_…)')
    .action(async (id: string, options: OutputOptions) => {
      await withDatabase(async (deps) => {
        await undoClaim(await withIssuers(deps), { ...(await findGiftOwner(deps, id)), actor: operator() });
      });
      printOne(options, { gift_id: id, claimable: true }, () => ({ gift: id, claimable: true }));
    });
}

function takeBackCommand(group: Command): void {
  addCommand(
    group,
    'take-back',
    'end the card of a claimed gift; what is left on it returns to the balance',
    `gift take-back ${GIFT}`,
    { confirms: takingBack },
  )
    .argument('<gift>', 'the gift (gift_…)')
    .action(async (id: string, options: OutputOptions) => {
      const returned_cents = await withDatabase(async (deps) => {
        return takeBackGift(await withIssuers(deps), { ...(await findGiftOwner(deps, id)), actor: operator() });
      });
      printOne(options, { gift_id: id, returned_cents }, () => ({ gift: id, 'returned cents': returned_cents }));
    });
}

function reopenCardCommand(group: Command): void {
  addCommand(
    group,
    'reopen-card',
    'let another browser show the card of a claimed gift, once within a day',
    `gift reopen-card ${GIFT}`,
    { confirms: reopening },
  )
    .argument('<gift>', 'the gift (gift_…)')
    .action(async (id: string, options: OutputOptions) => {
      const until = await withDatabase(async (deps) =>
        reopenCard(deps, { ...(await findGiftOwner(deps, id)), actor: operator() }),
      );
      printOne(options, { gift_id: id, reopened_until: until }, () => ({
        gift: id,
        'reopened until': until.toISOString(),
      }));
    });
}

// The questions before what a command takes away.

const newLink = async (deps: CommandDeps, id: string) =>
  `End all links of ${await nameGift(deps, id)}? Those that were sent no longer open it. ${FOR_EVER}`;

const undoing = async (deps: CommandDeps, id: string) =>
  `Undo the claim of ${await nameGift(deps, id)}? The recipient must claim it again.`;

const takingBack = async (deps: CommandDeps, id: string) =>
  `Take back ${await nameGift(deps, id)}? The recipient can no longer use it, and what is left on its card returns to the balance. ${FOR_EVER}`;

const reopening = async (deps: CommandDeps, id: string) =>
  `Reopen the card of ${await nameGift(deps, id)}? The next browser that opens the link can take the card, and the earlier one then no longer shows it.`;

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
