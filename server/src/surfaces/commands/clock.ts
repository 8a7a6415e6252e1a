import type { Command } from 'commander';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { type OutputOptions, printOne, printRemark } from '../../faces/command-line/print.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';
import { systemClock } from '../../platform/base/clock.ts';
import { acceptTime } from '../../platform/jobs/clocks.ts';
import { inWords, MOST_OFFSET_MS } from '../../platform/jobs/server-clock.ts';

const EXAMPLE = 'clock accept';

const accepting = async () =>
  `Is PostgreSQL’s clock right? What was due since the last work of each minute is then sent, ended, and deleted. ${FOR_EVER}`;

export function clockCommands(program: Command): void {
  const group = addGroup(program, 'clock', 'the time by which gifts expire and data is deleted', EXAMPLE);
  addCommand(group, 'accept', 'say that the time is right after it leapt by more than two days', EXAMPLE, {
    confirms: accepting,
  }).action(async (output: OutputOptions) => {
    const times = await withDatabase(({ database }) => acceptTime(database));
    const nowMs = systemClock.now();
    const offsetMs = nowMs - (times[0]?.getTime() ?? nowMs);
    if (Math.abs(offsetMs) > MOST_OFFSET_MS && !output.json)
      printRemark(`This machine’s clock is ${inWords(offsetMs)} PostgreSQL’s. PostgreSQL’s time was accepted.`);
    printOne(output, { accepted: times.map((time) => time.toISOString()) }, ({ accepted }) => ({
      'the work goes on from': accepted.join(', '),
    }));
  });
}
