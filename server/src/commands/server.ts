import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { openDatabase } from '../database/open.ts';
import { addCommand, withExample } from './add-command.ts';
import { type OutputOptions, printOne } from './print.ts';

export function serverCommands(program: Command): void {
  withExample(program.command('serve').description('start the service'), 'serve')
    .option('--no-worker', 'leave queued work, such as sending messages, to `bestow worker`')
    .action(async ({ worker: works }: { worker: boolean }) => {
      const config = readConfig(process.env);
      // Loaded here, so that the other commands need not wait for the web server's code.
      const { serve } = await import('../serve.ts');
      await serve(config, { works });
    });

  withExample(
    program.command('worker').description('work on the queues alone; any number of workers share them'),
    'worker',
  ).action(async () => {
    const config = readConfig(process.env);
    const { work } = await import('../work.ts');
    await work(config);
  });

  addCommand(program, 'migrate', 'bring the database up to date; serve does so too', 'migrate').action(
    async (options: OutputOptions) => {
      // Opening migrates: no command may run on an older schema.
      const opened = await openDatabase(readConfig(process.env), 'command');
      await opened.close();
      printOne(options, { database: opened.description, up_to_date: true }, ({ database }) => ({
        database,
        'up to date': true,
      }));
    },
  );
}
