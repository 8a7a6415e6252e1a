import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CapAmounts } from '../../core/caps/change-caps.ts';
import { createGrant } from '../../core/grants/create-grant.ts';
import { findGrant } from '../../core/grants/find-grant.ts';
import { type GrantLimits, NO_LIMITS, PRESETS } from '../../core/grants/grant.ts';
import { type ListedGrant, listGrants } from '../../core/grants/list-grants.ts';
import { replaceToken } from '../../core/grants/replace-token.ts';
import { revokeGrant } from '../../core/grants/revoke-grant.ts';
import { setLimits } from '../../core/grants/set-limits.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameLowered, whenItEnds } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import {
  parseAskAbove,
  parseCap,
  parseCategoryId,
  parseName,
  parseOverlap,
  parseTime,
  unlessOff,
} from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOnce, printOne } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { PERMISSIONS, type Permission } from '../../platform/authentication/permissions.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { readConfig } from '../../platform/configuration/config.ts';

type LimitOptions = Partial<Record<`${Exclude<keyof CapAmounts, 'month'>}Limit` | 'askAbove', number | 'off'>>;

interface NewGrantOptions extends OutputOptions, LimitOptions {
  org?: string;
  environment: Environment;
  name: string;
  preset?: keyof typeof PRESETS;
  may?: Permission[];
  reach?: 'own' | 'all';
  recipientDomain?: string[];
  membersOnly?: boolean;
  category?: string[];
  expires?: Date;
}

const SAVE_IT = 'Save the token now: it is not shown again.';
const GRANT = 'grant_01h455vb4pex5vsknk084sn02q';

export function agentCommands(program: Command): void {
  const owner = '--org org_01h455vb4pex5vsknk084sn02q';
  const group = addGroup(program, 'agent', 'grants of agents: what each may do at /mcp', `agent list ${owner}`);

  createCommand(group, `agent create ${owner} --environment sandbox --name "Assistant" --preset buyer`);

  addCommand(group, 'list', 'list the grants of an organization’s agents', `agent list ${owner}`)
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org?: string }) => {
      printMany(options, await withOrganization(options.org, listGrants), present);
    });

  limitCommand(group);
  tokenCommand(group);

  addCommand(group, 'revoke', 'revoke a grant immediately and permanently', `agent revoke ${GRANT}`, {
    confirms: revocation,
  })
    .argument('<id>', 'the grant’s id (grant_…)')
    .action(async (id: string, options: OutputOptions) => {
      const revoked = await withDatabase(async (deps) => {
        const { organizationId } = await findGrant(deps, id);
        return revokeGrant(deps, { organizationId, grantId: id, actor: operator() });
      });
      printOne(options, revoked, present);
    });
}

// The questions before what a command takes away; undefined if it takes nothing away.

const named = ({ environment, name }: ListedGrant) => `the ${environment} agent “${name}”`;

async function revocation(deps: CommandDeps, id: string) {
  const { grant } = await findGrant(deps, id);
  if (grant.revoked_at !== null) return undefined;
  return `Revoke the grant of ${named(grant)}? It is refused at once. ${FOR_EVER}`;
}

async function replacement(deps: CommandDeps, id: string, { overlapHours }: { overlapHours: number }) {
  const { grant } = await findGrant(deps, id);
  if (!grant.is_active) return undefined;
  return `Replace the token of ${named(grant)}? The earlier one is refused ${whenItEnds(overlapHours)}.`;
}

async function lowering(deps: CommandDeps, id: string, options: LimitOptions) {
  const { grant } = await findGrant(deps, id);
  const caps = Object.entries(grant.limits).map(([limit, value]) => [limit, value?.cap]);
  const before = { ...Object.fromEntries(caps), ask_above: grant.ask_above };
  const lowered = nameLowered(before, readLimits(options), deps.config.currency);
  return lowered && `Lower limits of ${named(grant)}: ${lowered}? Orders beyond them no longer pass.`;
}

const collect = <Item>(item: Item, others: Item[] = []): Item[] => [...others, item];

function createCommand(group: Command, example: string): void {
  const presets = Object.keys(PRESETS);
  const command = addCommand(group, 'create', 'create the grant of an agent and show its token once', example)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .requiredOption('--name <name>', 'a name, so that people can tell agents apart', parseName)
    .addOption(new Option('--preset <preset>', 'begin with what is usual').choices(presets))
    .addOption(
      new Option('--may <permission>', 'besides reading; may be repeated')
        .choices(PERMISSIONS)
        .argParser<Permission[]>((text, others) => collect(readPermission(text), others)),
    )
    .addOption(new Option('--reach <reach>', 'what it ordered itself, or everything').choices(['own', 'all']))
    .option('--recipient-domain <domain>', 'the only domain of recipients; may be repeated', collect<string>)
    .option('--members-only', 'recipients must be members of the organization')
    .option('--category <id>', 'the only category; may be repeated', (text, others: string[] | undefined) =>
      collect(parseCategoryId(text), others),
    )
    .option('--expires <time>', 'when the grant ends, such as 2027-01-31', parseTime);
  withLimits(command).action(async (options: NewGrantOptions) => {
    const preset = options.preset === undefined ? undefined : PRESETS[options.preset];
    const created = await withOrganization(options.org, (deps, organizationId) =>
      createGrant(deps, {
        organizationId,
        environment: options.environment,
        name: options.name,
        actor: operator(),
        terms: {
          permissions: [...new Set(options.may ?? preset?.permissions ?? [])],
          reach: options.reach ?? preset?.reach ?? 'own',
          recipient_domains: options.recipientDomain ?? null,
          members_only: options.membersOnly ?? false,
          categories: options.category ?? null,
        },
        limits: { ...NO_LIMITS, ...preset?.limits, ...readLimits(options) },
        expiresAt: options.expires,
      }),
    );
    printToken(options, created, 'The grant was created but its token could not be shown.');
  });
}

function readPermission(text: string): Permission {
  const permission = PERMISSIONS.find((one) => one === text);
  if (permission === undefined) throw new InvalidArgumentError(`It must be one of ${PERMISSIONS.join(', ')}.`);
  return permission;
}

const withLimits = (command: Command) =>
  command
    .option('--order-limit <cents>', 'what one order may cost, or “off”', parseCap)
    .option('--recipient-limit <cents>', 'what one recipient may get in a day, or “off”', parseCap)
    .option('--hour-limit <cents>', 'what its orders may cost per hour, or “off”', parseCap)
    .option('--day-limit <cents>', 'what its orders may cost per day, or “off”', parseCap)
    .option('--life-limit <cents>', 'what its orders may cost in all, or “off”', parseCap)
    .option('--ask-above <cents>', 'an admin must approve an order above it, 0 for each, or “off”', parseAskAbove);

const readLimits = (options: LimitOptions): Partial<GrantLimits> =>
  Object.fromEntries(
    Object.keys(NO_LIMITS).flatMap((limit) => {
      const cents = options[limit === 'ask_above' ? 'askAbove' : (`${limit}Limit` as keyof LimitOptions)];
      return cents === undefined ? [] : [[limit, unlessOff(cents)]];
    }),
  );

function limitCommand(group: Command): void {
  const example = `agent limit ${GRANT} --day-limit 50000`;
  withLimits(addCommand(group, 'limit', 'set what an agent’s orders may cost', example, { confirms: lowering }))
    .argument('<id>', 'the grant’s id (grant_…)')
    .action(async (id: string, options: OutputOptions & LimitOptions) => {
      const limited = await withDatabase(async (deps) => {
        const { organizationId, grant } = await findGrant(deps, id);
        const { environment } = grant;
        const limits = readLimits(options);
        await setLimits(deps, { organizationId, environment, grantId: id, limits, actor: operator() });
        return (await findGrant(deps, id)).grant;
      });
      printOne(options, limited, present);
    });
}

function tokenCommand(group: Command): void {
  const example = `agent token ${GRANT} --overlap-hours 24`;
  addCommand(group, 'token', 'give a grant another token; the old one works on for a while', example, {
    confirms: replacement,
  })
    .argument('<id>', 'the grant’s id (grant_…)')
    .requiredOption('--overlap-hours <hours>', 'how long the old token works on, 0 to 168', parseOverlap)
    .action(async (id: string, options: OutputOptions & { overlapHours: number }) => {
      const { overlapHours } = options;
      const replaced = await withDatabase(async (deps) => {
        const { organizationId } = await findGrant(deps, id);
        return replaceToken(deps, { organizationId, grantId: id, overlapHours, actor: operator() });
      });
      printToken(options, replaced, 'The token was replaced, but the new one could not be shown.');
    });
}

function printToken(options: OutputOptions, made: Awaited<ReturnType<typeof createGrant>>, notShown: string): void {
  printOnce(options, made, ({ grant_id, token }) => ({ 'grant id': grant_id, token }), {
    remark: SAVE_IT,
    otherwise: `${notShown} Replace it with bestow agent token ${made.grant_id} --overlap-hours 0.`,
  });
}

function present(grant: ListedGrant) {
  const { currency } = readConfig(process.env);
  const limits = Object.entries(grant.limits).flatMap(([limit, value]) =>
    value === null ? [] : [`${limit} ${formatMoney(value.cap, currency)}`],
  );
  return {
    'grant id': grant.grant_id,
    ...(grant.client_name === null ? { token: grant.hint } : { 'signs in as': grant.client_name }),
    environment: grant.environment,
    name: grant.name,
    may: ['read', ...grant.permissions].join(', '),
    reach: grant.reach,
    recipients: grant.members_only ? 'members' : (grant.recipient_domains?.join(', ') ?? 'anyone'),
    categories: grant.categories?.join(', ') ?? 'all',
    limits: limits.join(', ') || 'none',
    'asks above': grant.ask_above === null ? 'never' : formatMoney(grant.ask_above, currency),
    created: grant.created_at,
    'created by': grant.created_by,
    'last used': grant.last_used_at,
    expires: grant.expires_at,
    revoked: grant.revoked_at,
    active: grant.is_active ? 'yes' : 'no',
  };
}
