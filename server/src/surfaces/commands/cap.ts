import type { Command } from 'commander';
import { listCaps } from '../../core/caps/list-caps.ts';
import { setCaps } from '../../core/caps/set-caps.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from '../../faces/command-line/add-command.ts';
import { nameLowered, nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseCap, unlessOff } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany } from '../../faces/command-line/print.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { readConfig } from '../../platform/configuration/config.ts';

interface ListOptions extends OutputOptions {
  org?: string;
  environment: Environment;
}

interface SetOptions extends ListOptions {
  key?: string;
  hour?: number | 'off';
  day?: number | 'off';
}

export function capCommands(program: Command): void {
  const owner = '--org org_01h455vb4pex5vsknk084sn02q --environment live';
  const group = addGroup(program, 'cap', 'caps on what orders may cost', `cap list ${owner}`);

  addCommand(group, 'list', 'list the caps of an environment and what was spent', `cap list ${owner}`)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .action(async (options: ListOptions) =>
      print(options, await withOrganization(options.org, (deps, id) => listFor(deps, id, options))),
    );

  addCommand(group, 'set', 'set what orders may cost per clock hour and day (UTC)', `cap set ${owner} --day 500000`, {
    confirms: lowering,
  })
    .addOption(organizationOption())
    .addOption(environmentOption())
    .option('--key <id>', 'only orders with this key (key_…), and with keys that replace it')
    .option('--hour <cents>', 'cents per hour, or “off”', parseCap)
    .option('--day <cents>', 'cents per day, or “off”', parseCap)
    .action(async (options: SetOptions) => {
      const { environment, key: keyId } = options;
      const amounts = amountsOf(options);
      const caps = await withOrganization(options.org, async (deps, organizationId) => {
        await setCaps(deps, { organizationId, environment, keyId, amounts, actor: operator() });
        return listFor(deps, organizationId, options);
      });
      print(options, caps);
    });
}

const amountsOf = ({ hour, day }: SetOptions) => ({
  ...(hour !== undefined && { hour: unlessOff(hour) }),
  ...(day !== undefined && { day: unlessOff(day) }),
});

/** The question before caps that are lower than now; undefined if none is. */
async function lowering(deps: CommandDeps, options: SetOptions) {
  const id = await identifyOrganization(deps, options.org);
  const { environment, key = null } = options;
  const now = (await listFor(deps, id, options)).find(({ key_id }) => key_id === key);
  const before = { hour: now?.hour?.cap, day: now?.day?.cap };
  const lowered = nameLowered(before, amountsOf(options), deps.config.currency);
  const whose = `${key === null ? 'all' : `the key ${key}’s`} ${environment} orders of ${await nameOrganization(deps, id)}`;
  return lowered && `Lower the caps of ${whose}: ${lowered}? Orders beyond them are refused.`;
}

async function listFor(deps: Parameters<typeof listCaps>[0], id: string, { environment }: ListOptions) {
  const { organization_id: organizationId } = await findOrganization(deps, id);
  return listCaps(deps, { organizationId, environment });
}

type Caps = Awaited<ReturnType<typeof listCaps>>;

function print(options: OutputOptions, caps: Caps): void {
  const { currency } = readConfig(process.env);
  const show = (cap: Caps[number]['hour']) =>
    cap && `${formatMoney(cap.spent, currency)} of ${formatMoney(cap.cap, currency)}`;
  printMany(options, caps, ({ key_id, name, hour, day }) => ({
    orders: key_id ?? 'all',
    name,
    'this hour': show(hour),
    today: show(day),
  }));
}
