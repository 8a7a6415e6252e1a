import { type Command, Option } from 'commander';
import {
  addCommand,
  addGroup,
  environmentOption,
  limitOption,
  organizationOption,
} from '../../faces/command-line/add-command.ts';
import { listOfOrganization } from '../../faces/command-line/list-of-organization.ts';
import { type OutputOptions, printMany, printOne } from '../../faces/command-line/print.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { findAnyRequest } from './find-any-request.ts';
import { listRequests } from './list-requests.ts';
import type { RequestOutcome } from './portal-schema.ts';

const REQUEST = 'req_01h455vb4pex5vsknk084sn02q';
const outcomes = { all: undefined, failed: 'failed', '4xx': 'client_error', '5xx': 'server_error' } as const satisfies {
  [option: string]: RequestOutcome | undefined;
};

type ListOptions = OutputOptions & {
  org?: string;
  environment: Environment;
  status: keyof typeof outcomes;
  path?: string;
  limit: number;
};

/** `request show`, which `request REQUEST` is short for, and `request list`. */
export function requestCommands(program: Command): void {
  const group = addGroup(program, 'request', 'the API log', `request ${REQUEST}`);
  showCommand(group);
  addCommand(
    group,
    'list',
    'list an organization’s requests of the last seven days, newest first',
    'request list --org org_01h455vb4pex5vsknk084sn02q --environment live --status 4xx',
  )
    .addOption(organizationOption())
    .addOption(environmentOption())
    .addOption(new Option('--status <status>', 'only of these answers').choices(Object.keys(outcomes)).default('all'))
    .option('--path <start>', 'only of paths that begin so, such as /v1/orders')
    .addOption(limitOption())
    .action(async ({ status, path, ...options }: ListOptions) => {
      const { rows } = await listOfOrganization(options, (deps, scope, page) =>
        listRequests(deps, scope, { ...page, outcome: outcomes[status], pathPrefix: path }),
      );
      printMany(options, rows, (request) => ({
        time: request.created_at,
        request: request.request_id,
        method: request.method,
        path: request.path,
        tool: request.tool,
        status: request.status,
        error: request.error_code,
        'took ms': request.duration_ms,
      }));
    });
}

function showCommand(group: Command): void {
  const description = 'show what the log has of a request: an answer’s Request-Id, which customers name';
  addCommand(group, 'show', description, `request show ${REQUEST}`, { isDefault: true })
    .argument('<id>', 'the request (req_…)')
    .action(async (id: string, options: OutputOptions) => {
      const found = await withDatabase((deps) => findAnyRequest(deps, id));
      printOne(options, found, (request) => ({
        request: request.request_id,
        time: request.created_at,
        organization: request.organization_id,
        environment: request.environment,
        key: request.key_id,
        'client address': request.client_address,
        method: request.method,
        path: request.path,
        tool: request.tool,
        client: request.client,
        status: request.status,
        error: request.error_code,
        message: request.error_message,
        field: request.error_param,
        'took ms': request.duration_ms,
        body: request.body,
        answer: request.answer,
      }));
    });
}
