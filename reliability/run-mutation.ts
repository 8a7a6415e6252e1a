// `npm run mutate [-- --mutate FILE,…]`: Stryker with its own configuration on the pure modules. The exit code is 1 if its
// score is below the threshold.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from './tools/run-tool.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// Stryker starts the tests with the first `node` of the path.
process.env['PATH'] = `${dirname(process.execPath)}:${process.env['PATH']}`;
process.exitCode = runTool('stryker', ['run', 'reliability/tools/stryker.config.json', ...process.argv.slice(2)]);
