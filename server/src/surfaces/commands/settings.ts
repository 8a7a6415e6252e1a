import { Argument, type Command } from 'commander';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { type OutputOptions, printOne } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { acceptSettings } from '../../platform/installation/accept-settings.ts';
import { type Acceptable, acceptable } from '../../platform/installation/kept-settings.ts';

export function settingsCommands(program: Command): void {
  const group = addGroup(program, 'settings', 'what the database keeps of the settings', 'settings accept currency');

  addCommand(
    group,
    'accept',
    'let the next start use another currency or link secret for this database',
    'settings accept link-secret',
    { confirms: whatIsLost },
  )
    .addArgument(new Argument('<setting>', 'what differs').choices(Object.keys(acceptable)))
    .action(async (setting: Acceptable, options: OutputOptions) => {
      await withDatabase(({ database }) => acceptSettings(database, setting));
      printOne(options, { setting }, () => ({
        accepted: setting,
        next: 'the next start keeps the setting that it finds',
      }));
    });
}

const whatIsLost = async (_: CommandDeps, setting: Acceptable) =>
  `Accept another ${acceptable[setting].name}? This ${acceptable[setting].effect}. ${FOR_EVER}`;
