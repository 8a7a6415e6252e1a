import { Argument, type Command } from 'commander';
import { acceptSettings } from '../installation/accept-settings.ts';
import { type Acceptable, acceptable } from '../installation/kept-settings.ts';
import { addCommand, addGroup } from './add-command.ts';
import { confirm, FOR_EVER } from './confirm.ts';
import { type OutputOptions, printOne } from './print.ts';
import { withDatabase } from './with-database.ts';

export function settingsCommands(program: Command): void {
  const group = addGroup(program, 'settings', 'what the database keeps of the settings', 'settings accept currency');

  addCommand(
    group,
    'accept',
    'let the next start use another currency or link secret for this database',
    'settings accept link-secret',
  )
    .addArgument(new Argument('<setting>', 'what differs').choices(Object.keys(acceptable)))
    .option('--yes', 'skip the question')
    .action(async (setting: Acceptable, options: OutputOptions & { yes?: boolean }) => {
      const { effect } = acceptable[setting];
      await confirm(`This ${effect}. ${FOR_EVER}`, options.yes ?? false);
      await withDatabase(({ database }) => acceptSettings(database, setting));
      printOne(options, { setting }, () => ({
        accepted: setting,
        next: 'the next start keeps the setting that it finds',
      }));
    });
}
