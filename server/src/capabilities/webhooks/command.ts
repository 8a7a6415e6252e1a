import type { Command } from 'commander';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { whenItEnds } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import {
  parseEventType,
  parseName,
  parseOverlap,
  parseSequence,
  parseTime,
} from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOnce, printOne } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError, UsageError } from '../../platform/base/operator-error.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { addEndpoint } from './add-endpoint.ts';
import { editEndpoint, removeEndpoint } from './edit-endpoint.ts';
import { enableEndpoint } from './enable-endpoint.ts';
import { readInput, shownUrl } from './endpoint-input.ts';
import { findEndpoint, findEndpointOwner, listEndpoints } from './find-endpoint.ts';
import { listDeliveries } from './list-deliveries.ts';
import { resendDeliveries, resendDelivery } from './resend-deliveries.ts';
import { DEFAULT_OVERLAP_HOURS, rotateSecret } from './rotate-secret.ts';
import { presentDelivery, presentEndpoint } from './schema.ts';

const ENDPOINT = 'wh_01h455vb4pex5vsknk084sn02q';
const SAVE_IT = 'Save the secret now: it is not shown again.';
const LISTED = 50;

interface InputOptions extends OutputOptions {
  type?: string[];
  allTypes?: true;
  ordered?: boolean;
  description?: string;
}

export function webhookCommands(program: Command): void {
  const group = addGroup(program, 'webhook', 'where events are pushed', 'webhook list --org ORG --environment live');
  addAndList(group);
  showAndChange(group);
  rotateCommand(group);
  switchCommands(group);
  deliveryCommands(group);
}

const inputOptions = (command: Command) =>
  command
    .option('--type <type>', 'a type of event, such as gift.claimed; may be repeated', parseEventType)
    .option('--description <text>', 'your own note', parseName)
    .option('--ordered', 'one event after another')
    .option('--no-ordered', 'several at once');

const inputOf = ({ type, allTypes, ordered, description }: InputOptions) =>
  readInput({
    ...(description !== undefined && { description }),
    ...(ordered !== undefined && { ordered }),
    ...(type !== undefined && { types: type }),
    ...(allTypes && { types: null }),
  });

const withSeal = async (deps: CommandDeps) => ({
  ...deps,
  cipher: createCipher(secretsFor('codes', deps.config, await secretsForCommand(deps))),
});

/** @throws OperatorError */
async function ownerOf(deps: CommandDeps, id: string) {
  const endpointId = decodeId('wh', id);
  const owner = await findEndpointOwner(deps, endpointId);
  if (owner === undefined || endpointId === undefined) throw new OperatorError(`There is no webhook endpoint ${id}.`);
  return { caller: admitted(owner), endpointId, actor: operator() };
}

const present = ({ endpoint_id, types, ...endpoint }: ReturnType<typeof presentEndpoint>) => ({
  endpoint: endpoint_id,
  url: endpoint.url,
  types: types?.join(', ') ?? 'all',
  ordered: endpoint.ordered ? 'yes' : 'no',
  status: endpoint.status,
  'failing since': endpoint.failing_since,
  'last event': endpoint.sequence,
  description: endpoint.description,
});

async function find(deps: CommandDeps, id: string) {
  const { caller, endpointId } = await ownerOf(deps, id);
  return findEndpoint(deps.database.read, caller, endpointId);
}

type EditOptions = InputOptions & { url?: string };

// The questions before what a command takes away; undefined if it takes nothing away.

const named = ({ endpoint_id, url }: Awaited<ReturnType<typeof find>>) =>
  `the webhook endpoint ${encodeId('wh', endpoint_id)} (${shownUrl(url)})`;

async function narrowing(deps: CommandDeps, id: string, { url, type }: EditOptions) {
  const row = await find(deps, id);
  const isElsewhere = url !== undefined && url !== row.url;
  const isNarrower = type !== undefined && (row.types === null || row.types.some((one) => !type.includes(one)));
  if (!isElsewhere && !isNarrower) return undefined;
  return `Change ${named(row)}? ${isElsewhere ? 'Its address gets no more events' : 'It gets no more events of other types'}.`;
}

const removal = async (deps: CommandDeps, id: string) =>
  `Remove ${named(await find(deps, id))}? It gets no more events, and its deliveries are deleted. ${FOR_EVER}`;

const rotation = async (deps: CommandDeps, id: string, { overlapHours }: { overlapHours: number }) =>
  `Replace the secret of ${named(await find(deps, id))}? The earlier one no longer signs ${whenItEnds(overlapHours)}.`;

async function switchingOff(deps: CommandDeps, id: string) {
  const row = await find(deps, id);
  return row.disabled_at === null ? `Switch off ${named(row)}? It gets no events until it is enabled.` : undefined;
}

type ListOptions = OutputOptions & { org?: string; environment: Environment };

const scopeOf = async (deps: CommandDeps, id: string, { environment }: ListOptions) =>
  admitted({ organizationId: (await findOrganization(deps, id)).organization_id, environment });

function addAndList(group: Command): void {
  const scope = '--org org_01h455vb4pex5vsknk084sn02q --environment live';
  inputOptions(
    addCommand(
      group,
      'add',
      'add an endpoint and show its secret once',
      `webhook add https://shop.example/in ${scope}`,
    ),
  )
    .argument('<url>', 'an https address')
    .addOption(organizationOption())
    .addOption(environmentOption())
    .action(async (url: string, options: InputOptions & ListOptions) => {
      const { endpoint, secret } = await withOrganization(options.org, async (deps, id) =>
        addEndpoint(await withSeal(deps), {
          caller: await scopeOf(deps, id, options),
          input: { url, description: null, types: null, isOrdered: false, ...inputOf(options) },
          actor: operator(),
        }),
      );
      const added = { ...presentEndpoint(endpoint), secret };
      printOnce(options, added, () => ({ ...present(added), secret }), {
        remark: SAVE_IT,
        otherwise: `The endpoint was added but its secret could not be shown. Replace it with bestow webhook rotate ${added.endpoint_id}.`,
      });
    });

  addCommand(group, 'list', 'list the endpoints of an environment', `webhook list ${scope}`)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .action(async (options: ListOptions) => {
      const rows = await withOrganization(options.org, async (deps, id) =>
        listEndpoints(deps, await scopeOf(deps, id, options)),
      );
      printMany(options, rows.map(presentEndpoint), present);
    });
}

function showAndChange(group: Command): void {
  addCommand(group, 'show', 'show an endpoint', `webhook show ${ENDPOINT}`)
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .action(async (id: string, options: OutputOptions) => {
      const row = await withDatabase((deps) => find(deps, id));
      printOne(options, presentEndpoint(row), present);
    });

  inputOptions(
    addCommand(group, 'edit', 'change an endpoint', `webhook edit ${ENDPOINT} --type gift.claimed`, {
      confirms: narrowing,
    }),
  )
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .option('--url <url>', 'another https address')
    .option('--all-types', 'push every type of event')
    .action(async (id: string, options: EditOptions) => {
      const input = { ...inputOf(options), ...(options.url !== undefined && { url: options.url }) };
      const row = await withDatabase(async (deps) => editEndpoint(deps, await ownerOf(deps, id), input));
      printOne(options, presentEndpoint(row), present);
    });

  addCommand(group, 'remove', 'remove an endpoint', `webhook remove ${ENDPOINT}`, { confirms: removal })
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .action(async (id: string, options: OutputOptions) => {
      const row = await withDatabase(async (deps) => removeEndpoint(deps, await ownerOf(deps, id)));
      printOne(options, presentEndpoint(row), present);
    });
}

function rotateCommand(group: Command): void {
  addCommand(
    group,
    'rotate',
    'replace the secret; earlier ones sign for a while',
    `webhook rotate ${ENDPOINT} --overlap-hours 24`,
    { confirms: rotation },
  )
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .option(
      '--overlap-hours <hours>',
      'how long both secrets sign, 0 to 168; 0 ends all earlier ones',
      parseOverlap,
      DEFAULT_OVERLAP_HOURS,
    )
    .action(async (id: string, options: OutputOptions & { overlapHours: number }) => {
      const { endpoint, secret } = await withDatabase(async (deps) =>
        rotateSecret(await withSeal(deps), await ownerOf(deps, id), options.overlapHours),
      );
      const rotated = { ...presentEndpoint(endpoint), secret };
      printOnce(options, rotated, () => ({ endpoint: id, secret }), {
        remark: SAVE_IT,
        otherwise: `The secret was replaced but could not be shown. Replace it again with bestow webhook rotate ${id}.`,
      });
    });
}

function switchCommands(group: Command): void {
  addCommand(group, 'disable', 'switch an endpoint off; its events wait', `webhook disable ${ENDPOINT}`, {
    confirms: switchingOff,
  })
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .action(async (id: string, options: OutputOptions) => {
      const row = await withDatabase(async (deps) =>
        editEndpoint(deps, await ownerOf(deps, id), { status: 'disabled' }),
      );
      printOne(options, presentEndpoint(row), present);
    });

  addCommand(group, 'enable', 'switch an endpoint on, without a loss', `webhook enable ${ENDPOINT}`)
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .option('--from-sequence <sequence>', 'push every event from this one on again', parseSequence)
    .action(async (id: string, options: OutputOptions & { fromSequence?: number }) => {
      const { endpoint } = await withDatabase(async (deps) =>
        enableEndpoint(deps, await ownerOf(deps, id), options.fromSequence),
      );
      printOne(options, presentEndpoint(endpoint), present);
    });
}

function deliveryCommands(group: Command): void {
  addCommand(group, 'deliveries', `list the latest ${LISTED} deliveries`, `webhook deliveries ${ENDPOINT}`)
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .action(async (id: string, options: OutputOptions) => {
      const { rows } = await withDatabase(async (deps) => {
        const { caller, endpointId } = await ownerOf(deps, id);
        return listDeliveries(deps, caller, { endpointId, page: { limit: LISTED } });
      });
      printMany(options, rows.map(presentDelivery), (delivery) => ({
        event: delivery.event_id,
        type: delivery.type,
        sequence: delivery.sequence,
        status: delivery.status,
        attempts: delivery.attempts.length,
        answer: delivery.attempts[0]?.status ?? delivery.attempts[0]?.failure_reason ?? null,
        'next attempt': delivery.next_attempt_at,
      }));
    });

  addCommand(group, 'resend', 'send events again', `webhook resend ${ENDPOINT} --failed`)
    .argument('<endpoint>', 'the endpoint (wh_…)')
    .option('--event <event>', 'one event (evt_…)')
    .option('--failed', 'all that failed')
    .option('--from <time>', 'all since a time, such as 2026-11-21', parseTime)
    .action(async (id: string, options: OutputOptions & { event?: string; failed?: true; from?: Date }) => {
      const { event, failed, from } = options;
      if ([event, failed, from].filter((option) => option !== undefined).length !== 1)
        throw new UsageError('Give one of --event, --failed and --from.');
      const resent = await withDatabase(async (deps) => {
        const owner = await ownerOf(deps, id);
        if (event === undefined) return (await resendDeliveries(deps, owner, from)).count;
        const eventId = decodeId('evt', event);
        if (eventId === undefined) throw new OperatorError(`${event} is not an event (evt_…).`);
        await resendDelivery(deps, owner, eventId);
        return 1;
      });
      printOne(options, { endpoint_id: encodeId('wh', decodeId('wh', id) ?? ''), resent }, () => ({
        endpoint: id,
        resent,
      }));
    });
}
