import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { resources } from '../../src/capabilities/docs/api-description.ts';
import { guidePath, guides } from '../../src/capabilities/docs/guides.ts';
import { REFERENCE_PATH, resourcePath } from '../../src/capabilities/docs/reference-path.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const exclude = (path: string) => /(?:^|\/)(?:node_modules|dist|data|\.git)(?:\/|$)/.test(path);
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude }).sort();

/** The anchor of a heading, as GitHub and `/docs` make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (markdown: string) => markdown.replaceAll(/^```.*?^```$/gms, '');
const anchorsOf = (path: string) =>
  [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const referencePaths = [REFERENCE_PATH, ...resources.map(resourcePath)];

/** The file that a path of the service such as `/docs/limits` is made from; undefined if it is not a page. */
const fileOfPage = (path: string) => {
  const slug = guides.find((guide) => guidePath(guide.slug) === path)?.slug;
  if (slug === 'errors' || referencePaths.includes(path)) return 'server/src/capabilities/docs/routes.ts';
  return slug === undefined ? undefined : `docs/${slug}.md`;
};

/** Why a link leads nowhere; undefined if it leads to a file and, with an anchor, to its heading. */
function faultOf(link: string, from: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  // docs.test.ts follows the other paths of the service.
  if (target.startsWith('/') && !target.startsWith('/docs')) return undefined;
  const path = target === '' ? from : target.startsWith('/docs') ? fileOfPage(target) : join(dirname(from), target);
  if (path === undefined || !existsSync(join(root, path))) return `${from}: ${link} does not exist`;
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  return anchorsOf(path).includes(anchor) ? undefined : `${from}: ${link} has no such heading`;
}

const documents = find('**/*.md');

test('every link of every document leads to a file and a heading', () => {
  const links = documents.flatMap((from) =>
    [...withoutCode(read(from)).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
      .map(([, inline, defined]) => ({ from, link: inline ?? defined ?? '' }))
      .filter(({ link }) => !/^(?:https?|mailto):/.test(link)),
  );
  assert.ok(documents.length > 20 && links.length > 200, `${documents.length} documents, ${links.length} links`);
  assert.deepEqual(
    links.flatMap(({ from, link }) => faultOf(link, from) ?? []),
    [],
  );
});

test('every document that the code names exists, with its heading', () => {
  const files = find('**/*.{ts,tsx,js,sql,css,yaml,yml,conf}').filter((path) => !path.endsWith('/links.test.ts'));
  const named = files.flatMap((from) =>
    [...read(from).matchAll(/(?<![\w/.-])((?:docs|sdk|bench|reliability)\/[\w-]+\.md|[A-Z]{4,}\.md)(#[\w-]+)?/g)].map(
      ([, file = '', anchor = '']) => ({ from, link: file + anchor }),
    ),
  );
  assert.ok(named.length > 10, `${named.length} references`);
  assert.deepEqual(
    named.filter(({ from, link }) => faultOf(link, 'README.md') && faultOf(link, from)),
    [],
  );
});

test('a missing file, heading or page is found', () => {
  const broken = ['docs/nothing.md', 'docs/limits.md#nothing', '/docs/nothing', '/docs/api/nothing', '#nothing'];
  for (const link of broken) assert.ok(faultOf(link, 'README.md'), link);
  for (const link of ['docs/limits.md#rates', '/docs/errors#x', '/docs/api', '/docs/api/orders', '/docs'])
    assert.equal(faultOf(link, 'README.md'), undefined, link);
});
