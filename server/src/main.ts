import { runProgram } from './surfaces/commands/program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may stop early.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`Cannot write the result to standard output (${error.code}); the command itself succeeded.\n`);
  process.exit(1);
});

const code = await runProgram(process.argv.slice(2));
// Exit at once after an error: a server that failed during start may hold open handles.
if (code !== 0) process.exit(code);
