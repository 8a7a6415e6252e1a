// Lists and calls tools with the command line of the official inspector, and prints what it saw as JSON.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { BESTOW_URL = '', BESTOW_TOKEN = '', BESTOW_READER_TOKEN = '', CACHE = '' } = process.env;
const PROGRAM = join(CACHE, 'agents-node/node_modules/.bin/mcp-inspector');

function inspect(token: string, ...words: string[]) {
  const bestow = { type: 'http', url: `${BESTOW_URL}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  writeFileSync('mcp.json', JSON.stringify({ mcpServers: { bestow } }));
  const given = ['--cli', '--config', 'mcp.json', '--server', 'bestow', ...words];
  // It keeps files in the home directory.
  const env = { ...process.env, HOME: process.cwd(), MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const { status, stdout, stderr } = spawnSync(PROGRAM, given, { encoding: 'utf8', env, timeout: 60_000 });
  if (stdout === '' && !stderr.includes('{"error"')) throw new Error(stderr);
  return { status, answer: JSON.parse(stdout || (/^\{"error".*$/m.exec(stderr)?.[0] ?? '{}')), stderr };
}

const toolsOf = ({ answer }: ReturnType<typeof inspect>) =>
  (answer.tools as { name: string }[]).map(({ name }) => name).sort();

const listed = inspect(BESTOW_TOKEN, '--method', 'tools/list', '--strict');
const balance = inspect(BESTOW_TOKEN, '--method', 'tools/call', '--tool-name', 'get_balance');
const ofReader = inspect(BESTOW_READER_TOKEN, '--method', 'tools/list');
const refused = inspect(BESTOW_READER_TOKEN, '--method', 'tools/call', '--tool-name', 'preview_order');
const seen = {
  tools: toolsOf(listed),
  strict: [listed.status, /^(\d+ errors),/m.exec(listed.stderr)?.[1]],
  available: balance.answer.structuredContent.available,
  reader: { tools: toolsOf(ofReader), refused: refused.answer.error.code },
};
process.stdout.write(JSON.stringify(seen));
