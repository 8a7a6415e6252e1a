import { readFileSync } from 'node:fs';
import { declarations } from '../../server/src/capabilities/mcp/declarations.ts';
import type { Declaration } from '../../server/src/capabilities/mcp/tool.ts';

/** A client of `/mcp` from a registry, with a program that uses it. */
interface Packaged {
  /** For `--only`. */
  name: string;
  package: string;
  version: string;
  /** Programs that the machine must have. */
  needs: readonly string[];
  /** A shell script, as those of generated clients. */
  run: string;
}

/** The program signs in by metadata alone. */
export type SigningClient = Packaged;

/** The program has the tokens of two grants. */
export interface AgentClient extends Packaged {
  /** What a pass shows with a grant of everything. */
  shows: string;
  /** What the program prints besides the names of the tools. */
  sees: object;
  /** Orders that are paid, each of $25.00. */
  orders: number;
  /** What it sees with a grant that only reads, besides the names of the tools: how a buying tool is refused. */
  readerSees: object;
  /** What a pass shows with this grant. */
  readerShows: string;
}

const namesOf = (isMeant: (tool: Declaration) => boolean) =>
  Object.entries<Declaration>(declarations)
    .filter(([, tool]) => isMeant(tool))
    .map(([name]) => name)
    .sort();
export const ALL_TOOLS = namesOf(() => true);
/** Those of a grant that only reads what it ordered. */
export const READERS_TOOLS = namesOf(({ needs }) => needs === 'read');
/** Without the tool for an order that waits: these grants ask no one. */
const READING = namesOf(({ hints }) => hints.readOnlyHint).filter((name) => name !== 'get_order_request');

const textOf = (path: string) => readFileSync(new URL(`agents/${path}`, import.meta.url), 'utf8');
const ofPyPi = (name: string) => {
  const version = new RegExp(`^${name}==(.+)$`, 'm').exec(textOf('python/requirements.txt'))?.[1] ?? '';
  return { name, package: name, version, needs: ['python3'] };
};
const ofNpm = (name: string, id: string) => {
  const { dependencies } = JSON.parse(textOf('node/package.json')) as { dependencies: Record<string, string> };
  return { name, package: id, version: dependencies[id] ?? '', needs: ['npm'] };
};

const python = (script: string) => `
cmp -s "$HERE/agents/python/requirements.txt" "$CACHE/agents-python/installed" || {
  python3 -m venv "$CACHE/agents-python"
  "$CACHE/agents-python/bin/pip" install -q --disable-pip-version-check -r "$HERE/agents/python/requirements.txt"
  cp "$HERE/agents/python/requirements.txt" "$CACHE/agents-python/installed"
}
# Without traces, which go to the maker of a model.
export OPENAI_AGENTS_DISABLE_TRACING=1 PYTHONDONTWRITEBYTECODE=1
exec "$CACHE/agents-python/bin/python" "$HERE/agents/python/${script}"`;

/** The program is beside the packages, so that it finds them. */
const node = (script: string) => `
cmp -s "$HERE/agents/node/package-lock.json" "$CACHE/agents-node/installed" || {
  mkdir -p "$CACHE/agents-node"
  cp "$HERE/agents/node"/package*.json "$CACHE/agents-node"
  npm ci --silent --ignore-scripts --prefix "$CACHE/agents-node"
  cp "$HERE/agents/node/package-lock.json" "$CACHE/agents-node/installed"
}
ln -s "$CACHE/agents-node/node_modules" node_modules
cp "$HERE/agents/node"/*.ts "$HERE/agents/node"/*.mjs "$HERE/agents/node/package.json" .
exec node ${script}`;

const ONCE = { placed: 'processed', is_repeat_same: true };
/** openai-agents needs `additionalProperties` in a schema without fields, and that makes google-genai 3.6.1 fail. */
const WITHOUT_ARGUMENTS = ['get_balance', 'list_categories'];

const PASSED = ['dns-rebinding-protection', 'ping', 'server-initialize', 'server-sse-multiple-streams', 'tools-list'];
/** Scenarios that do not fit, by the reason. */
const UNFIT: Readonly<Record<string, readonly string[]>> = {
  'the scenario calls a tool of the suite’s example server': [
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'json-schema-2020-12',
    'tools-call-audio',
    'tools-call-elicitation',
    'tools-call-embedded-resource',
    'tools-call-error',
    'tools-call-image',
    'tools-call-mixed-content',
    'tools-call-sampling',
    'tools-call-simple-text',
    'tools-call-with-logging',
    'tools-call-with-progress',
  ],
  'the server does not end an answer early, so the scenario checks nothing': ['server-sse-polling'],
  'the server has tools only, and no log for clients': ['logging-set-level'],
  'the server has tools only, and no completion': ['completion-complete'],
  'the server has tools only, and no resources': [
    'resources-list',
    'resources-read-binary',
    'resources-read-text',
    'resources-subscribe',
    'resources-templates-read',
    'resources-unsubscribe',
  ],
  'the server has tools only, and no prompts': [
    'prompts-get-embedded-resource',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-with-image',
    'prompts-list',
  ],
};

const CONFORMING = { passed: PASSED, others: Object.values(UNFIT).flat().sort() };
const REFUSED = {
  readerSees: { refused: 'not_granted' },
  readerShows: `a grant that only reads lists ${READERS_TOOLS.length} tools and may not buy: not_granted`,
};

export const agentClients: readonly AgentClient[] = [
  {
    ...ofPyPi('mcp'),
    run: python('mcp_sdk.py'),
    shows: 'in both revisions it reads, buys once in two calls, and every answer fits its schema',
    sees: { bought: ['2026-07-28', '2025-11-25'].map((revision) => ({ revision, order: ONCE, read: READING })) },
    orders: 2,
    ...REFUSED,
  },
  {
    ...ofPyPi('fastmcp'),
    run: python('fastmcp_client.py'),
    shows: 'it reads, buys once in two calls, and every answer fits its schema',
    sees: { order: ONCE, read: READING },
    orders: 1,
    ...REFUSED,
  },
  {
    ...ofPyPi('openai-agents'),
    run: python('openai_agents.py'),
    shows: `every tool but ${WITHOUT_ARGUMENTS.join(' and ')} is strict, and it buys once in two calls`,
    sees: { strict: ALL_TOOLS.filter((name) => !WITHOUT_ARGUMENTS.includes(name)), order: ONCE },
    orders: 1,
    ...REFUSED,
  },
  {
    ...ofPyPi('google-genai'),
    run: python('google_genai.py'),
    shows: 'every tool is a function declaration with all its fields, also those of a delivery',
    sees: {
      kept: ALL_TOOLS,
      same: ALL_TOOLS,
      methods: ['email', 'phone', 'link'],
      nullable: { method: false, email: true, phone: true },
    },
    orders: 0,
    ...REFUSED,
  },
  {
    ...ofNpm('inspector', '@modelcontextprotocol/inspector'),
    run: node('inspector.ts'),
    shows: 'it lists the tools, its strict check has no errors, and it calls get_balance',
    sees: { strict: [0, '0 errors'], available: 1_000_000 },
    orders: 0,
    // It does not send a call of a tool that is not in the list.
    readerSees: { refused: 'tool_not_found' },
    readerShows: `a grant that only reads lists ${READERS_TOOLS.length} tools, and the client itself refuses to buy`,
  },
  {
    ...ofNpm('conformance', '@modelcontextprotocol/conformance'),
    run: node('conformance.ts'),
    shows: `${PASSED.join(', ')} pass; ${Object.values(UNFIT).flat().length} scenarios do not fit`,
    sees: CONFORMING,
    orders: 0,
    // Its scenarios call no tool of this server.
    readerSees: CONFORMING,
    readerShows: `the same with a grant that only reads and lists ${READERS_TOOLS.length} tools`,
  },
  {
    ...ofNpm('sdk-v1', '@modelcontextprotocol/sdk'),
    run: node('sdk-v1.mjs'),
    shows: 'it buys once in two calls, and every answer fits its schema',
    sees: { order: ONCE },
    orders: 1,
    ...REFUSED,
  },
];

export const signingClients: readonly SigningClient[] = [
  { ...ofPyPi('mcp'), run: python('mcp_sign_in.py') },
  { ...ofNpm('sdk-v1', '@modelcontextprotocol/sdk'), run: node('sdk-v1-sign-in.mjs') },
];

/** What each of them sees: it signs in once, and refreshes when its token has ended. */
export const SIGNED_IN = { tools: ALL_TOOLS, signed_in: 1, tokens: 2, balances: [1_000_000, 1_000_000] };
