import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goModule } from '../../../sdk/test/go-command.ts';
import { NO_PYTHON, openPythons, pythonClient } from '../../../sdk/test/python-environment.ts';
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

/** The blocks of a page; programs that follow each other directly, which a page shows as tabs, are one group. */
function groupsOf(markdown: string): Block[][] {
  const parts = markdown.split(/^(```\w*\n.*?^```)$/gms);
  const groups: Block[][] = [];
  for (const [index, part] of parts.entries()) {
    const [block] = index % 2 === 1 ? blocksOf(part) : [];
    if (block === undefined) continue;
    const group = groups.at(-1) ?? [];
    const isNext = parts[index - 1]?.trim() === '' && isProgram(block) && group.length > 0 && group.every(isProgram);
    if (isNext && group.every(({ language }) => language !== block.language)) group.push(block);
    else groups.push([block]);
  }
  return groups;
}
const isProgram = ({ language }: Block) => language === 'sh' || language in LANGUAGES;

/** The languages in which a reader can follow a page: the first of each group, and each that stands beside another. */
export const tracksOf = (markdown: string): string[] => [
  ...new Set(['', ...groupsOf(markdown).flatMap(([, ...others]) => others.map(({ language }) => language))]),
];

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

/** Uses the client of this checkout. */
async function inPython(text: string, variables: Variables): Promise<string> {
  const [python] = await openPythons(1);
  assert.ok(python, NO_PYTHON);
  return output(python.file, ['-'], { ...variables, PYTHONPATH: join(pythonClient, 'src') }, text);
}

const GO_PACKAGES = ['context', 'encoding/json', 'errors', 'fmt', 'log', 'os', 'sort', 'time'];

/** A later sample of a page goes on in the `main` of its first, with the same `client`. */
function wholeProgram(text: string): string {
  if (text.startsWith('package ')) return text;
  const used = GO_PACKAGES.filter((name) => `${text} os. log.`.includes(`${name.split('/').at(-1)}.`));
  return `package main

import (
${[...used, 'bestow.example/bestow'].map((name) => `\t"${name}"\n`).join('')})

func main() {
	client, err := bestow.New(bestow.Options{Key: os.Getenv("KEY"), BaseURL: "${WRITTEN_URL}"})
	if err != nil {
		log.Fatal(err)
	}
	_ = client
${text}}
`;
}

/** Uses the client of this checkout. */
async function inGo(text: string, variables: Variables): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-sample-'));
  try {
    const client = `require bestow.example/bestow v1.0.0\n\nreplace bestow.example/bestow => ${goModule}\n`;
    await writeFile(join(directory, 'go.mod'), `module sample\n\ngo 1.23\n\n${client}`);
    await writeFile(join(directory, 'main.go'), text);
    // Go ignores a module in the temporary folder itself.
    return await output('go', ['-C', directory, 'run', '.'], { ...variables, TMPDIR: join(directory, '..', '..') });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Runs a program from its standard input. */
const withInput =
  (command: string): Run =>
  (text, variables) =>
    output(command, [], variables, text);

type Run = (text: string, variables: Variables) => Promise<string>;

/** How to run a program of each language, and the command that the machine must have. */
const LANGUAGES: Record<string, { needs?: string; complete?: (text: string) => string; run: Run }> = {
  js: { run: inNode },
  ts: { run: inNode },
  py: { needs: 'python3', run: inPython },
  go: { needs: 'go', complete: wholeProgram, run: inGo },
  php: { needs: 'php', run: withInput('php') },
  rb: { needs: 'ruby', run: withInput('ruby') },
};

/** Says so, because a sample is then not run and its answer not compared. */
function isMissing(command: string): boolean {
  const isThere = spawnSync('which', [command]).status === 0;
  if (!isThere) process.stdout.write(`A sample was not run: ${command} is not on this machine.\n`);
  return !isThere;
}

/** Runs one program of a page and returns what it prints; undefined if this machine lacks its language. */
export async function runProgram(
  { language, text }: Block,
  { url, variables }: Pick<Reader, 'url' | 'variables'>,
): Promise<string | undefined> {
  const { run, needs, complete } = LANGUAGES[language] ?? assert.fail(`No program: ${language}`);
  if (needs !== undefined && isMissing(needs)) return undefined;
  return await run((complete?.(text) ?? text).replaceAll(WRITTEN_URL, url), variables);
}

/** Removes ids, tokens and the port, which differ between runs. */
const generalize = (text: string): unknown =>
  JSON.parse(
    text
      .replaceAll(/\b([a-z]{3,4})_[0-9a-z]{26}\b/g, '$1_…')
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, WRITTEN_URL)
      .replaceAll(/\/g\/[^"]+/g, '/g/…'),
  );

/** A program gets an error as an object of the client, and prints some of its fields. */
function comparePrintedFields(printed: string, error: object): void {
  for (const word of printed.trim().split(/\s+/))
    assert.ok(Object.values(error).includes(word), `The error has no field with “${word}”.`);
}

/**
 * @param track the language that the reader chooses where a group has it; elsewhere they take the first
 * @returns how many programs ran, and how many answers were compared
 */
export async function followSamples(
  markdown: string,
  reader: Reader,
  track = '',
): Promise<{ runs: number; answers: number }> {
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

  /** @param isChosen otherwise the reader only fills in the variables before its first command */
  async function runShellBlock(text: string, isChosen: boolean): Promise<void> {
    let lines: string[] = [];
    for (const line of text.trimEnd().split('\n')) {
      const name = /^export (\w+)=.*…/.exec(line)?.[1];
      if (name === undefined) {
        if (!isChosen) return;
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

  async function follow(block: Block): Promise<void> {
    lastScript = '';
    const shown = await runProgram(block, { url: reader.url, variables });
    isNotRun = shown === undefined;
    if (shown !== undefined) remember(shown);
  }

  async function compare({ language, text }: Block): Promise<void> {
    const error: object | undefined = language === 'json' && lastScript === '' ? JSON.parse(text).error : undefined;
    if (language === 'json' && isNotRun) isNotRun = false;
    else if (error) comparePrintedFields(lastOutput, error);
    else if (language === 'json') assert.deepEqual(generalize(lastOutput), generalize(text), lastScript);
    else if (language !== 'http') assert.ok(SHOWN_ONLY.includes(language), `${language} is neither run nor compared.`);
    // A program does not print headers.
    else if (lastScript !== '') await compareHeaders(text);
    if (!SHOWN_ONLY.includes(language)) done.answers += 1;
  }

  for (const group of groupsOf(markdown)) {
    const chosen = group.find(({ language }) => language === track) ?? group[0];
    for (const block of group) {
      if (block.language === 'sh') await runShellBlock(block.text, block === chosen);
      else if (!(block.language in LANGUAGES)) await compare(block);
      else if (block === chosen) await follow(block);
    }
  }
  return done;
}
