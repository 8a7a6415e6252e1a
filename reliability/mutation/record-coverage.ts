// Loaded before the tests: writes which mutants' code ran, when the process ends.
import { writeFileSync } from 'node:fs';

const counted = globalThis as { __stryker__?: { mutantCoverage?: { static: Record<string, number> } } };
process.on('exit', () => {
  const ids = Object.keys(counted.__stryker__?.mutantCoverage?.static ?? {});
  writeFileSync(process.env['MUTATION_COVERAGE_FILE'] ?? '', JSON.stringify(ids));
});
