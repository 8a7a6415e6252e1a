import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { openDatabase } from '../process/open-database.ts';
import { addCommand, withExample } from './add-command.ts';
import { type OutputOptions, printOne } from './print.ts';

interface ServeFlags extends OutputOptions {
  worker: boolean;
  port?: string;
  ephemeral?: boolean;
}

export function serverCommands(program: Command): void {
  addCommand(program, 'serve', 'start the service', 'serve')
    .option('--no-worker', 'leave queued work, such as sending messages, to `bestow worker`')
    .option('--port <number>', 'the port to listen on, whatever PORT says; 0 takes a free one')
    .option('--ephemeral', 'emulate the service for tests: on a database that is gone when this process ends')
    .action(async ({ worker: works, port, ephemeral, json = false }: ServeFlags) => {
      const variables = port === undefined ? process.env : { ...process.env, PORT: port };
      // Loaded here, so that the other commands need not wait for the web server's code.
      const config = ephemeral
        ? await (await import('../process/ephemeral.ts')).openEphemeral(variables)
        : readConfig(variables);
      const { serve } = await import('../process/serve.ts');
      await serve(config, { works, json });
    });

  withExample(
    program.command('worker').description('work on the queues alone; any number of workers share them'),
    'worker',
  ).action(async () => {
    const config = readConfig(process.env);
    const { work } = await import('../process/work.ts');
    await work(config);
  });

  addCommand(program, 'migrate', 'bring the database up to date; serve does so too', 'migrate').action(
    async (options: OutputOptions) => {
      // Opening migrates.
      const opened = await openDatabase(readConfig(process.env), 'command');
      await opened.close();
      printOne(options, { database: opened.description, up_to_date: true }, ({ database }) => ({
        database,
        'up to date': true,
      }));
    },
  );
}
