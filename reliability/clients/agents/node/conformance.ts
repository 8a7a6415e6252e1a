// Runs the official conformance suite of servers, and prints which scenarios passed as JSON.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTokenProxy } from './add-token.ts';

const { BESTOW_URL = '', BESTOW_TOKEN = '', BESTOW_READER_TOKEN = '', CACHE = '' } = process.env;
const PROGRAM = join(CACHE, 'agents-node/node_modules/.bin/conformance');
const LINE = /^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm;

async function run(token: string, directory: string) {
  // The suite cannot send a header.
  const proxy = await startTokenProxy(BESTOW_URL, token);
  const given = ['server', '--url', `${proxy.url}/mcp`, '--suite', 'all', '--output-dir', directory];
  const isFailed = (error: { stdout: string }) => error;
  const { stdout } = await promisify(execFile)(PROGRAM, given, { timeout: 120_000 }).catch(isFailed);
  proxy.close();
  const scenarios = [...stdout.matchAll(LINE)].map(([, name = '', passed, failed]) => ({
    name,
    // A scenario without a check shows nothing.
    hasPassed: Number(passed) > 0 && failed === '0',
  }));
  const [file = ''] = globSync(join(directory, 'server-tools-list-*/checks.json'));
  const [check] = JSON.parse(readFileSync(file, 'utf8')) as [{ details: { tools: string[] } }];
  const namesOf = (hasPassed: boolean) =>
    scenarios.filter((scenario) => scenario.hasPassed === hasPassed).map(({ name }) => name);
  return { tools: check.details.tools.sort(), passed: namesOf(true).sort(), others: namesOf(false).sort() };
}

const seen = { ...(await run(BESTOW_TOKEN, 'all')), reader: await run(BESTOW_READER_TOKEN, 'reader') };
process.stdout.write(JSON.stringify(seen));
