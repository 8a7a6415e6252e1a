// `npm run lint:openapi`: Redocly and Spectral with their own configuration on openapi.json. The exit code is 1 if either of
// them finds something.
import { fileURLToPath } from 'node:url';
import { formatProblems, lint, loadConfig } from '@redocly/openapi-core';
import { runTool } from './tools/run-tool.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const config = await loadConfig({ configPath: 'reliability/tools/redocly.yaml' });
const problems = await lint({ ref: 'openapi.json', config });
formatProblems(problems, { totals: { errors: problems.length, warnings: 0, ignored: 0 } });
process.stdout.write(`redocly: ${problems.length} found\n`);
const ruleset = ['--ruleset', 'reliability/tools/spectral.yaml', '--fail-severity', 'warn', '--display-only-failures'];
const status = runTool('spectral', ['lint', 'openapi.json', ...ruleset]);
process.exitCode = problems.length === 0 && status === 0 ? 0 : 1;
