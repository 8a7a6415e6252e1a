import type { Command } from 'commander';
import { addCommand, withExample } from '../../faces/command-line/add-command.ts';
import { parsePatience, parsePort } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printOne, printRemark } from '../../faces/command-line/print.ts';
import { readConfig } from '../../platform/configuration/config.ts';
import { leaveRoot } from '../../platform/embedded-postgres/leave-root.ts';
import { openDatabase } from '../../platform/installation/open-database.ts';
import { type Patience, whenThere } from '../../platform/installation/when-there.ts';

interface ServeFlags extends OutputOptions {
  worker: boolean;
  port?: string;
  ephemeral?: boolean;
}

export function serverCommands(program: Command): void {
  addCommand(program, 'serve', 'start the service', 'serve')
    .option('--no-worker', 'leave queued jobs, such as sending messages, to `bestow worker`')
    .option('--port <number>', 'the port, overrides PORT; 0 chooses a free port', parsePort)
    .option('--ephemeral', 'run an emulator for tests; its database is deleted at exit')
    .action(async ({ worker: works, port, ephemeral, json = false }: ServeFlags) => {
      const variables = port === undefined ? process.env : { ...process.env, PORT: port };
      // Imported here, because loading the web server would slow the other commands.
      const config = ephemeral
        ? await (await import('../process/ephemeral.ts')).openEphemeral(variables)
        : readConfig(variables);
      const { serve } = await (config.processes === 1
        ? import('../process/serve.ts')
        : import('../process/serve-processes.ts'));
      await serve(config, { works, json, isEphemeral: ephemeral === true });
    });

  withExample(
    program.command('worker').description('run queued jobs only; several workers share the queues'),
    'worker',
  ).action(async () => {
    const config = readConfig(process.env);
    const { work } = await import('../process/work.ts');
    await work(config);
  });

  addCommand(program, 'migrate', 'migrate the database; serve also does', 'migrate --wait 10m')
    .option('--wait <time>', 'wait so long for a database that is down, starting or read-only', parsePatience)
    .action(async ({ wait, ...options }: OutputOptions & { wait?: Patience }) => {
      const config = readConfig(process.env);
      await leaveRoot(config, { creates: true });
      // openDatabase migrates. A signal ends the wait at once, because nothing catches it.
      const open = () => openDatabase(config, 'command', printRemark);
      const opened = await (wait === undefined ? open() : whenThere(open, wait, printRemark));
      await opened.close();
      printOne(options, { database: opened.description, up_to_date: true }, ({ database }) => ({
        database,
        'up to date': true,
      }));
    });
}
