import { runProgram } from './commands/program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader may stop early, as `head` does.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`The result cannot be written to standard output (${error.code}); what it tells was done.\n`);
  process.exit(1);
});

const code = await runProgram(process.argv.slice(2));
// Exit at once on a failure: a server that failed half-way may hold something open.
if (code !== 0) process.exit(code);
