// `npm run lint:openapi [-- FILE]`: the interface's description by Redocly's recommended rules and by Spectral with the
// OWASP rule set. A broken document first shows that both look; the exit code is 1 where anything is unexplained.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brokenDocument } from './openapi-lint/broken-document.ts';
import { exceptions } from './openapi-lint/exceptions.ts';
import { judge } from './openapi-lint/judge.ts';
import { lintWithRedocly } from './openapi-lint/redocly.ts';
import { lintWithSpectral } from './openapi-lint/spectral.ts';

const file = process.argv[2] ?? fileURLToPath(new URL('../openapi.json', import.meta.url));
const document = readFileSync(file, 'utf8');
const linters = [
  { name: 'redocly', lint: lintWithRedocly, exceptions: [] },
  { name: 'spectral, OWASP', lint: lintWithSpectral, exceptions },
];

const say = (line: string) => process.stdout.write(`${line}\n`);

let unexplained = 0;
for (const { name, lint, exceptions: its } of linters) {
  const control = await lint(brokenDocument);
  if (control.length < 3) throw new Error(`${name} finds only ${control.length} faults in a broken document.`);
  const judgement = judge(await lint(document), its);
  for (const finding of judgement.unexplained) say(`FOUND ${name}: ${finding}`);
  say(`${name}: ${judgement.unexplained.length} found, ${judgement.explained} explained by ${its.length} exceptions`);
  unexplained += judgement.unexplained.length;
}
process.exitCode = unexplained === 0 ? 0 : 1;
