import { parseAst } from 'vite';

export const MAX_FUNCTION_LINES = 60;

/** Longer functions, each with the reason why it stays whole. */
const reasons: Record<string, string> = {
  'reliability/faults/delivery/smtp-conversation.ts: converse': 'one conversation, whose stages share its state',
  'reliability/faults/delivery/strike-messages.ts: strikeMessages': 'one sequence of steps',
  'reliability/faults/delivery/struck-provider.ts: openProvider': 'two providers, which share the copies',
  'reliability/faults/failover/cluster.ts: startCluster': 'one cluster, whose functions share its processes',
  'reliability/faults/installation.ts: openInstallation': 'one installation, whose functions share its processes',
  'server/src/orders/queries.ts: placeOrdersText': 'one SQL statement, read from top to bottom',
  'reliability/proxy/session.ts: openSession': 'one session, whose two directions share its state',
  'reliability/proxy/start-proxy.ts: startProxy': 'one proxy, whose functions share its links',
};

interface LongFunction {
  path: string;
  name: string;
  lines: number;
}

interface AstNode {
  type?: string;
  start: number;
  end: number;
  id?: { name?: string };
  key?: { name?: string };
}

/** Every function with a name of the file; a nested function without a name has the name of the one around it. */
function functionsOf(path: string, text: string): LongFunction[] {
  const found: LongFunction[] = [];
  const walk = (node: unknown, outer: string) => {
    if (typeof node !== 'object' || node === null) return;
    const { type = '', start, end, id, key } = node as AstNode;
    const name = id?.name ?? key?.name ?? outer;
    if (/^(?:Arrow)?Function/.test(type)) found.push({ path, name, lines: text.slice(start, end).split('\n').length });
    for (const child of Object.values(node)) walk(child, name);
  };
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body, path);
  return found;
}

/** The functions outside of tests, the longest first. */
export function longestFunctions(files: [path: string, text: string][]): LongFunction[] {
  return files
    .filter(([path]) => !path.endsWith('.test.ts'))
    .flatMap(([path, text]) => functionsOf(path, text))
    .sort((one, other) => other.lines - one.lines);
}

/** Functions over the limit that have no reason. */
export const longFunctions = (files: [path: string, text: string][]): string[] =>
  longestFunctions(files)
    .filter(({ path, name, lines }) => lines > MAX_FUNCTION_LINES && !(`${path}: ${name}` in reasons))
    .map(({ path, name, lines }) => `${path}: ${name}, ${lines} lines`);
