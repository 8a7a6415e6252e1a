import type { Command } from 'commander';
import { addCommand, addGroup, limitOption } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseEmail } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { listOperatorEvents } from './operator-log.ts';
import { addOperator, endOperator, findOperator, listOperators, type Operator } from './operators.ts';

export function operatorCommands(program: Command): void {
  const group = addGroup(program, 'operator', 'people who may open the operator’s page', 'operator list');

  addCommand(group, 'add', 'let a person open the operator’s page', 'operator add olga@gifts.example')
    .argument('<email>', 'the person’s address', parseEmail)
    .action(async (email: string, options: OutputOptions) => {
      printOne(options, await withDatabase((deps) => addOperator(deps, { email, actor: operator() })), present);
      if (!options.json)
        printRemark(
          'They sign in at /operator with a passkey or an authenticator app, which they set up at /portal/account.',
        );
    });

  addCommand(group, 'list', 'list the operators', 'operator list').action(async (options: OutputOptions) => {
    printMany(options, await withDatabase(listOperators), (one) => ({
      ...present(one),
      'second factor': one.has_second_factor,
      'last session': one.last_session_at,
    }));
  });

  addCommand(group, 'remove', 'end a person’s access to the operator’s page', 'operator remove olga@gifts.example', {
    confirms: removal,
  })
    .argument('<email>', 'the person’s address', parseEmail)
    .action(async (email: string, options: OutputOptions) => {
      printOne(options, await withDatabase((deps) => endOperator(deps, { email, actor: operator() })), present);
    });

  addCommand(group, 'log', 'list what operators looked at and did on their page', 'operator log --limit 100')
    .addOption(limitOption())
    .action(async ({ limit, ...options }: OutputOptions & { limit: number }) => {
      printMany(options, await withDatabase((deps) => listOperatorEvents(deps, { limit })), (event) => ({
        when: event.created_at,
        operator: event.operator,
        action: event.action,
        about: Object.values(event.details).join(', '),
        reason: event.reason,
        from: event.address,
      }));
    });
}

const present = ({ email, added_by, created_at }: Operator) => ({
  operator: email,
  'added by': added_by,
  since: created_at,
});

/** The question before it; undefined if the person is no operator. */
async function removal(deps: CommandDeps, email: string) {
  if (!(await findOperator(deps, email)).isOne) return undefined;
  const isLast = (await listOperators(deps)).length === 1;
  return `Remove the operator ${email}? Their sessions end at once${isLast ? ', and without any operator the page is gone' : ''}.`;
}
