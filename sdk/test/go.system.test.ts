import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForFile } from '../../server/test/harness/open-for-file.ts';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { go, goDriver, goFakeDriver, goModule, missingGo } from './go-command.ts';
import { testWhere } from './test-where.ts';

// What is too slow for the gate, or downloads a tool.

const STATICCHECK = 'honnef.co/go/tools/cmd/staticcheck@v0.8.2';
const testGo = testWhere(missingGo());
const service = openForFile(() => startTestService());

testGo('the Go client has no finding of staticcheck', async () => {
  for (const cwd of [goModule, goDriver, goFakeDriver])
    assert.doesNotMatch(
      await go('go', ['run', STATICCHECK, './...'], { cwd, proxy: process.env['GOPROXY'] ?? '' }),
      /\.go:\d+/,
    );
});

testGo('the Go client’s tests find no race', async () => {
  assert.match(await go('go', ['test', '-race', '-count=1', './...'], { CGO_ENABLED: '1' }), /^ok /m);
});

const IMPORTS = ['context', 'errors', 'fmt', 'io', 'log', 'net/http', 'os', 'path/filepath', 'time'];

/** One program of all samples. After each sample its last error is checked, unless the sample handles it. */
function programOf(readme: string): string {
  const samples = [...readme.matchAll(/^```go\n(.*?)^```$/gms)].map(([, sample = '']) => sample);
  assert.ok(samples.length > 8, `${samples.length} samples`);
  const check = 'if err != nil {\n\tpanic(err)\n}\n';
  const leavesError = (sample: string) => /^(?!for )\S.*\berr :?= /m.test(sample) && !sample.includes('errors.As');
  const body = samples.map((sample) => sample + (leavesError(sample) ? check : '')).join('\n');
  const imports = [...IMPORTS, 'bestow.example/bestow'].map((path) => `\t"${path}"\n`).join('');
  const text = `package main\n\nimport (\n${imports})\n\nfunc main() {\n\tctx := context.Background()\n${body}}\n`;
  return text.replaceAll('http://localhost:3000', service.url);
}

testGo('the samples of the README run against a real service', async () => {
  const { keys } = await service.organization();
  const project = mkdtempSync(join(tmpdir(), 'bestow-go-'));
  try {
    // Go ignores a module in the temporary folder itself.
    const temporary = join(project, 'temporary');
    mkdirSync(temporary);
    const uses = `require bestow.example/bestow v1.0.0\n\nreplace bestow.example/bestow => ${goModule}\n`;
    writeFileSync(join(project, 'go.mod'), `module sample\n\ngo 1.23\n\n${uses}`);
    writeFileSync(join(project, 'main.go'), programOf(readFileSync(join(goModule, 'README.md'), 'utf8')));
    const output = await go('go', ['run', '.'], { cwd: project, BESTOW_KEY: keys.sandbox, TMPDIR: temporary });
    for (const line of [
      /^ord_\S+ http\S+\/g\//m,
      /^processed$/m,
      /^true$/m,
      /^3 200 req_\S+ 1$/m,
      /^Add funds, then send it again with [0-9a-f-]{36}$/m,
      /^ordered ord_\S+ processed$/m,
      /^claimed$/m,
    ])
      assert.match(output, line);
  } finally {
    rmSync(project, { recursive: true });
  }
});
