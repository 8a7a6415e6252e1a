import { type Command, Option } from 'commander';
import { listKeys } from '../../core/keys/list-keys.ts';
import { createOrganization } from '../../core/organizations/create-organization.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { holdGifts, releaseGifts } from '../../core/organizations/hold-gifts.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { listLivingOrganizations } from '../../core/organizations/list-organizations.ts';
import type { PresentedOrganization } from '../../core/organizations/present-organization.ts';
import { reinstateOrganization } from '../../core/organizations/reinstate-organization.ts';
import { renameOrganization } from '../../core/organizations/rename-organization.ts';
import { setBillingContact } from '../../core/organizations/set-billing-contact.ts';
import { setProgram, showProgram } from '../../core/organizations/set-program.ts';
import { suspendOrganization } from '../../core/organizations/suspend-organization.ts';
import { addCommand, addGroup, organizationArgument } from '../../faces/command-line/add-command.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import {
  parseDayList,
  parseDays,
  parseEmail,
  parseName,
  parseShard,
  unlessOff,
} from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { actOn, allOf, pageAct, type Subject } from '../../faces/operator-acts/operator-act.ts';
import type { Program } from '../../platform/base/program.ts';
import { type Language, languageTags } from '../../platform/languages/languages.ts';
import { showCommand } from './organization-show.ts';

const EXAMPLE = 'org_01h455vb4pex5vsknk084sn02q';

const organization: Subject<{ organizationId: string }> = {
  tag: 'Organizations',
  path: '/organizations/{organization_id}',
  id: 'organization_id',
  example: EXAMPLE,
  placeholder: 'ORG',
  take: (command) => command.addArgument(organizationArgument()),
  find: async (deps, { organization_id: id }) => ({ organizationId: await identifyOrganization(deps, id) }),
};

const NAME = ['--name <name>', 'the name, shown as the sender of gifts', parseName] as const;

/** What an operator can do to organizations. */
export const organizationActs = {
  create: actOn(allOf('Organizations', '/organizations'), {
    word: 'create',
    path: '',
    operationId: 'createOrganization',
    summary: 'Creates an organization with its first admin, who gets a mail.',
    help: 'create an organization with its first admin',
    does: 'Creates an organization and its first admin, `--shard NUMBER` on [a shard](scale.md).',
    usage: '--name NAME --admin-email EMAIL',
    body: ({ Type, Name, email }) => ({
      name: Name,
      admin_email: email('The first admin.'),
      shard: Type.Optional(Type.Integer({ minimum: 1, maximum: 999, description: 'Its server; else by chance.' })),
    }),
    response: ({ Type }) =>
      Type.Object({ organization_id: Type.String(), name: Type.String(), member_id: Type.String() }),
    about: ({ name, admin_email }) => ({ name, admin_email }),
    options: (command) =>
      command
        .requiredOption(...NAME)
        .requiredOption('--admin-email <email>', 'the first admin’s email address', parseEmail)
        .option(
          '--shard <number>',
          'where it lives, if there are several servers; by default one of them by chance',
          parseShard,
        ),
    read: ({ adminEmail, ...options }: { name: string; adminEmail: string; shard?: number }) => ({
      ...options,
      admin_email: adminEmail,
    }),
    example: '--name "Acme" --admin-email ann@acme.example',
    run: (deps, { actor }, { name, admin_email: adminEmail, shard }) =>
      createOrganization(deps, { name, adminEmail, shard, actor }),
    print: (options, created) =>
      printOne(options, created, ({ organization_id, name, member_id }) => ({
        organization: organization_id,
        name,
        admin: member_id,
      })),
  }),

  rename: actOn(organization, {
    word: 'rename',
    method: 'PUT',
    path: '/name',
    operationId: 'renameOrganization',
    summary: 'Renames an organization, for members and recipients.',
    help: 'change the name of an organization',
    does: 'Renames an organization.',
    usage: '--name NAME',
    body: ({ Name }) => ({ name: Name }),
    options: (command) => command.requiredOption(...NAME),
    example: '--name "Acme Gifts"',
    run: (deps, of, { name }) => renameOrganization(deps, { ...of, name }),
    print: print,
  }),

  suspend: actOn(organization, {
    word: 'suspend',
    operationId: 'suspendOrganization',
    summary: 'Refuses all its keys at once and makes its portal read-only.',
    help: 'refuse all keys of an organization and make its portal read-only',
    does: 'Refuses all keys at once. Its members can only read, revoke keys and hold gifts. `--hold-gifts` or `--no-hold-gifts`: also unclaimed gifts.',
    body: ({ Type }) => ({
      holds_gifts: Type.Boolean({ description: 'Whether its unclaimed gifts are put on hold too.' }),
    }),
    options: (command) =>
      command
        .option('--hold-gifts', 'also put all its unclaimed gifts on hold (the default)')
        .option('--no-hold-gifts', 'let recipients claim its gifts'),
    read: ({ holdGifts = true }: SuspendOptions) => ({ holds_gifts: holdGifts }),
    confirms: suspension,
    run: (deps, of, { holds_gifts: holdsGifts }) => suspendOrganization(deps, { ...of, holdsGifts }),
    print: print,
  }),

  reinstate: actOn(organization, {
    word: 'reinstate',
    operationId: 'reinstateOrganization',
    summary: 'Ends a suspension.',
    help: 'end a suspension',
    does: 'Ends a suspension. `--release-gifts` or `--no-release-gifts`: also the hold of its gifts.',
    body: ({ Type }) => ({
      releases_gifts: Type.Boolean({ description: 'Whether the hold of all its gifts ends too.' }),
    }),
    options: (command) =>
      command
        .option('--release-gifts', 'also end the hold of all its gifts')
        .option('--no-release-gifts', 'leave its gifts on hold, so that it cannot order (the default)'),
    read: ({ releaseGifts = false }: { releaseGifts?: boolean }) => ({ releases_gifts: releaseGifts }),
    run: async (deps, of, { releases_gifts: releasesGifts }) => {
      const wasHeld = (await findOrganization(deps, of.organizationId)).gifts_held_at !== null;
      return { reinstated: await reinstateOrganization(deps, { ...of, releasesGifts }), wasHeld };
    },
    print(options, { reinstated, wasHeld }) {
      print(options, reinstated);
      if (!wasHeld || options.json) return;
      printRemark(
        reinstated.gifts_held_at === null
          ? 'Its unclaimed gifts are released. Gifts that were put on hold one by one stay on hold.'
          : `Its unclaimed gifts stay on hold, so that it cannot order. Release them: bestow gift release --org ${reinstated.organization_id}`,
      );
    },
  }),
};

/** For the page alone: one command holds a gift or all gifts of an organization. */
export const giftsHoldActs = {
  hold: pageAct(organization, {
    word: 'hold-gifts',
    operationId: 'holdGifts',
    summary: 'Puts all its unclaimed gifts on hold, and refuses its orders.',
    run: holdGifts,
  }),
  release: pageAct(organization, {
    word: 'release-gifts',
    operationId: 'releaseGifts',
    summary: 'Ends the hold of its gifts; those held one by one stay.',
    run: releaseGifts,
  }),
};

interface SuspendOptions {
  holdGifts?: boolean;
}

/** The question before it; undefined if nothing changes. */
async function suspension(deps: CommandDeps, org: string, { holdGifts = true }: SuspendOptions) {
  const id = await identifyOrganization(deps, org);
  const { suspended_at, gifts_held_at } = await findOrganization(deps, id);
  const holds = holdGifts && gifts_held_at === null;
  if (suspended_at !== null && !holds) return undefined;
  const nowMs = deps.clock.now();
  const active = (await listKeys(deps, id)).filter(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at.getTime() > nowMs),
  );
  const keys = active.length === 1 ? 'Its key is' : `Its ${active.length} keys are`;
  const gifts = holds ? 'its unclaimed gifts are put on hold' : 'its gifts can still be claimed';
  return `Suspend ${await nameOrganization(deps, id)}? ${keys} refused at once, its portal becomes read-only, and ${gifts}.`;
}

function print(options: OutputOptions, organization: PresentedOrganization): void {
  printOne(options, organization, () => ({
    organization: organization.organization_id,
    name: organization.name,
    'billing contact': organization.billing_contact_member_id,
    suspended: organization.suspended_at,
    'gifts on hold': organization.gifts_held_at,
  }));
}

export function organizationCommands(program: Command): void {
  const group = addGroup(program, 'org', 'organizations that buy gifts', 'org list');

  organizationActs.create.addTo(group);

  addCommand(group, 'list', 'list all organizations', 'org list').action(async (options: OutputOptions) => {
    const organizations = await withDatabase(listLivingOrganizations);
    printMany(options, organizations, (organization) => ({
      organization: organization.organization_id,
      name: organization.name,
      members: organization.active_members,
      keys: organization.active_keys,
      sandbox: organization.has_sandbox,
      suspended: organization.suspended_at,
    }));
  });

  showCommand(group);

  organizationActs.rename.addTo(group);
  organizationActs.suspend.addTo(group);
  programCommand(group);
  organizationActs.reinstate.addTo(group);

  addCommand(
    group,
    'billing-contact',
    'set the member to whom orders are attributed',
    `org billing-contact ${EXAMPLE} --member mem_01h455vb4pex5vsknk084sn02q`,
  )
    .addArgument(organizationArgument())
    .requiredOption('--member <id>', 'an active member (mem_…)')
    .action(async (org: string, { member: memberId, ...options }: OutputOptions & { member: string }) => {
      const act = (deps: CommandDeps, organizationId: string) =>
        setBillingContact(deps, { organizationId, memberId, actor: operator() });
      print(options, await withOrganization(org, act));
    });
}

interface ProgramOptions extends OutputOptions {
  program?: Program;
  unclaimedAfterDays?: number | 'off';
  reminderDays?: number[];
  showValue?: boolean;
  language?: Language | 'none';
}

const languageOf = ({ language }: ProgramOptions) =>
  language === undefined ? {} : { language: language === 'none' ? null : language };

function programCommand(group: Command): void {
  addCommand(
    group,
    'program',
    'set when unclaimed gifts of later orders expire, or show it',
    `org program ${EXAMPLE} --program award --unclaimed-after-days 365`,
  )
    .addArgument(organizationArgument())
    .addOption(new Option('--program <program>', 'who pays for the gifts').choices(['award', 'sold']))
    .option('--unclaimed-after-days <days>', 'days until a gift expires (sold: at least 1826), or off', parseDays)
    .option(
      '--reminder-days <days>',
      'days after the order on which recipients are reminded, such as 7,21, or none',
      parseDayList,
    )
    .option('--show-value', 'name amount and category in messages, before the gift is opened')
    .option('--no-show-value', 'keep them a surprise (the default)')
    .addOption(
      new Option('--language <tag>', 'the language of pages and messages whose gift has none').choices([
        ...languageTags,
        'none',
      ]),
    )
    .action(async (org: string, options: ProgramOptions) => {
      const { organizationId, ...program } = await withOrganization(org, async (deps, organizationId) => {
        const now = await showProgram(deps, (await findOrganization(deps, organizationId)).organization_id);
        const { program = now.program, reminderDays = now.reminder_days } = options;
        const { unclaimedAfterDays = now.unclaimed_after_days } = options;
        const change = {
          program,
          unclaimedAfterDays: unclaimedAfterDays === null ? null : unlessOff(unclaimedAfterDays),
          reminderDays,
          messagesShowValue: options.showValue,
          ...languageOf(options),
        };
        return { organizationId, ...(await setProgram(deps, { organizationId, ...change, actor: operator() })) };
      });
      printOne(options, { organization_id: organizationId, ...program }, () => ({
        organization: organizationId,
        program: program.program,
        'unclaimed gifts expire after days': program.unclaimed_after_days,
        'reminders after days': program.reminder_days.join(', '),
        'messages show the value': program.messages_show_value,
        language: program.language,
      }));
    });
}
