import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HUNG_AFTER_MS } from './server-process.ts';

/** Runs the samples of a documentation page and compares their answers. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const BESTOW = fileURLToPath(new URL('../../bin/bestow.js', import.meta.url));
const CLIENT = new URL('../../../sdk/src/index.ts', import.meta.url).href;
/** The service's address in the pages. */
const WRITTEN_URL = 'http://localhost:3000';

export interface Block {
  language: string;
  text: string;
}

/** Records of a domain, Prometheus's settings, receivers of webhooks, signed notes and the installation have their own tests. */
const SHOWN_ONLY = ['dns', 'sql', 'yaml', 'javascript', 'python', 'golang', 'note', 'bash'];

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));

type Variables = Record<string, string | undefined>;

export interface Reader {
  /** The service's address. */
  url: string;
  /** The reader's environment at the start. */
  variables: Variables;
  /** Finds the value for each `…` by the variable's name in earlier output, latest first. */
  fillings: Record<string, (printed: string, variables: Variables) => string | Promise<string>>;
}

/** Returns the output of a program that succeeds. */
async function output(command: string, args: string[], variables: Variables, input = ''): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables };
  const child = spawn(command, args, { cwd: root, env, stdio: 'pipe', timeout: HUNG_AFTER_MS });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  child.stdin.on('error', () => undefined).end(input);
  const [code] = await once(child, 'close');
  assert.ok(!child.killed, `${args.at(-1)} hung: ${printed.stdout}${printed.stderr}`);
  assert.equal(code, 0, `${args.at(-1)}\n${input}\n${printed.stdout}${printed.stderr}`);
  return printed.stdout;
}

/** Runs the sample in the reader's shell; `bestow` is this checkout's command. */
export function inShell(script: string, variables: Variables): Promise<string> {
  const bestow = `bestow() { '${process.execPath}' '${BESTOW}' "$@"; }`;
  return output('bash', ['-euc', `${bestow}\n${script}`], variables);
}

/** Uses the client of this checkout, before it is packed. */
function inNode(text: string, variables: Variables): Promise<string> {
  const program = text.replaceAll("from 'bestow-sdk'", `from '${CLIENT}'`);
  return output(process.execPath, ['--input-type=module-typescript', '-'], variables, program);
}

async function inGo(text: string, variables: Variables): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-sample-'));
  try {
    await writeFile(join(directory, 'main.go'), text);
    return await output('go', ['run', join(directory, 'main.go')], variables);
  } finally {
    await rm(directory, { recursive: true });
  }
}

type Run = (text: string, variables: Variables) => Promise<string>;

/** How to run a program of each language, and the command that the machine must have. */
const LANGUAGES: Record<string, { needs?: string; run: Run }> = {
  js: { run: inNode },
  ts: { run: inNode },
  py: { needs: 'python3', run: (text, variables) => output('python3', ['-'], variables, text) },
  go: { needs: 'go', run: inGo },
};

/** Says so, because a sample is then not run and its answer not compared. */
function isMissing(command: string): boolean {
  const isThere = spawnSync('which', [command]).status === 0;
  if (!isThere) process.stdout.write(`A sample was not run: ${command} is not on this machine.\n`);
  return !isThere;
}

/** Removes ids, tokens and the port, which differ between runs. */
const generalize = (text: string): unknown =>
  JSON.parse(
    text
      .replaceAll(/\b([a-z]{3,4})_[0-9a-z]{26}\b/g, '$1_…')
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, WRITTEN_URL)
      .replaceAll(/\/g\/[^"]+/g, '/g/…'),
  );

/** @returns how many programs ran, and how many answers were compared */
export async function followSamples(markdown: string, reader: Reader): Promise<{ runs: number; answers: number }> {
  const variables = { ...reader.variables };
  let lastScript = '';
  let lastOutput = '';
  let printed = '';
  let isNotRun = false;
  const done = { runs: 0, answers: 0 };

  function remember(text: string): void {
    lastOutput = text;
    printed = `${text}\n${printed}`;
    done.runs += 1;
  }

  async function runShell(lines: string[]): Promise<void> {
    if (lines.length === 0) return;
    lastScript = lines.join('\n').replaceAll(WRITTEN_URL, reader.url);
    remember(await inShell(lastScript, variables));
  }

  async function runShellBlock(text: string): Promise<void> {
    let lines: string[] = [];
    for (const line of text.trimEnd().split('\n')) {
      const name = /^export (\w+)=.*…/.exec(line)?.[1];
      if (name === undefined) {
        lines.push(line);
        continue;
      }
      await runShell(lines);
      lines = [];
      const fill = reader.fillings[name] ?? assert.fail(`Nothing is known to fill in for ${name}.`);
      variables[name] = await fill(printed, variables);
    }
    await runShell(lines);
  }

  async function compareHeaders(text: string): Promise<void> {
    const shown = await inShell(lastScript.replace('curl -s ', 'curl -si '), variables);
    for (const line of text.trimEnd().split('\n')) assert.ok(shown.split('\r\n').includes(line), `${line}\n${shown}`);
  }

  for (const { language, text } of blocksOf(markdown)) {
    const program = LANGUAGES[language];
    if (language === 'sh') await runShellBlock(text);
    else if (program) {
      isNotRun = program.needs !== undefined && isMissing(program.needs);
      if (!isNotRun) remember(await program.run(text.replaceAll(WRITTEN_URL, reader.url), variables));
    } else {
      if (language === 'json' && isNotRun) isNotRun = false;
      else if (language === 'json') assert.deepEqual(generalize(lastOutput), generalize(text), lastScript);
      else if (language === 'http') await compareHeaders(text);
      else assert.ok(SHOWN_ONLY.includes(language), `${language} is neither run nor compared.`);
      if (!SHOWN_ONLY.includes(language)) done.answers += 1;
    }
  }
  return done;
}
