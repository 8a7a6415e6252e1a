import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DECLARED = /interface IdPrefixes \{\n([\s\S]*?)\n *\}/g;
const PREFIX = /\/\*\* (.+) \*\/\n *(\w+): true;/g;

/** Fills in the table of the prefixes that the folders of `server/src` declare, between its marks. */
export function withIdsTable(markdown: string, root: string): string {
  const texts = globSync('server/src/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  const declared = texts
    .flatMap((text) => [...text.matchAll(DECLARED)])
    .flatMap(([, body = '']) => [...body.matchAll(PREFIX)]);
  const rows = declared.map(([, named, prefix]) => `| \`${prefix}_\` | ${named} |`).sort();
  const table = ['| Prefix | Names |', '| --- | --- |', ...rows].join('\n');
  return markdown.replace(/<!-- ids -->\n[\s\S]*?<!-- \/ids -->/, `<!-- ids -->\n${table}\n<!-- /ids -->`);
}
