import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/operator-error.ts';
import { readConfig } from '../config.ts';
import { connectDatabase } from '../database/connections.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { openDatabase } from '../process/open-database.ts';
import { addCommand } from './add-command.ts';
import { type OutputOptions, printMany } from './print.ts';

export function doctorCommand(program: Command): void {
  addCommand(program, 'doctor', 'check settings, database, providers, ledger and stuck work', 'doctor').action(
    async (options: OutputOptions) => {
      const findings = await examineHere();
      printMany(options, findings, ({ check, state, found, advice }) => ({
        check,
        state,
        found,
        'what to do': advice,
      }));
      const faults = findings.filter(({ state }) => state === 'fault').length;
      if (faults > 0) throw new OperatorError(`${faults === 1 ? 'One fault' : `${faults} faults`} found.`);
    },
  );
}

async function examineHere(): Promise<Finding[]> {
  const config = readConfig(process.env);
  const opened = await openDatabase(config, 'command', undefined, { migrates: false, creates: false });
  try {
    const database = connectDatabase(opened.target, () => undefined);
    try {
      return await examine(config, database, systemClock);
    } finally {
      await database.close();
    }
  } finally {
    await opened.close();
  }
}
