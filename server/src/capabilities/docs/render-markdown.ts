import { html } from 'ghtml';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { highlight } from './highlight.ts';

export interface Heading {
  id: string;
  text: string;
}

/** A section of a page, as a search result. */
export interface Section {
  /** Undefined for the beginning of the page. */
  id: string | undefined;
  heading: string;
  text: string;
}

export interface RenderedMarkdown {
  /** The heading of level 1. */
  title: string;
  /** The first paragraph as text. */
  description: string;
  html: string;
  /** The headings of level 2. */
  headings: Heading[];
  sections: Section[];
}

const LANGUAGES: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  http: 'HTTP',
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  py: 'Python',
  python: 'Python',
  go: 'Go',
  golang: 'Go',
  php: 'PHP',
  rb: 'Ruby',
  dns: 'DNS',
};

/** Returns the anchor of a heading, as GitHub does. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Removes Markdown's syntax. */
export const plainText = (markdown: string) =>
  markdown
    .replaceAll(/```\w*\n|```/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^(?:[|: -]+$|\s*(?:[-*>]|\d+\.) )/gm, ' ')
    .replaceAll(/[`*]/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Turns `quickstart.md#claim` into `/docs/quickstart#claim`. */
const addressOf = (href: string) =>
  /^[a-z-]+\.md(?:#|$)/.test(href)
    ? `/docs/${href.replace('.md', '').replace(/^index\b/, '')}`.replace(/\/$/, '')
    : href;

/** Writes HTML and collects the headings of level 2. Escapes everything. */
function createRenderer(headings: Heading[], above = ''): RendererObject {
  let nearest = above;
  const tables = new Map<string, number>();
  return {
    heading({ tokens, depth, text }) {
      nearest = plainText(text);
      const shown = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${shown}</h1>\n`;
      const id = slugOf(nearest);
      if (depth === 2) headings.push({ id, text: nearest });
      return `<h${depth} id="${id}"><a href="#${id}">${shown}</a></h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const language = LANGUAGES[lang] ?? 'Text';
      return html`<pre tabindex="0" aria-label="${nearest} (${language})" data-language="${language}"><code>!${highlight(text, lang) ?? html`${text}`}</code></pre>
`;
    },
    table(token: Tokens.Table) {
      const number = (tables.get(nearest) ?? 0) + 1;
      tables.set(nearest, number);
      const label = number === 1 ? `Table: ${nearest}` : `Table ${number}: ${nearest}`;
      const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens);
      // Phones show rows as blocks: the roles keep the table's meaning, and the labels name the cells.
      const head = token.header.map((cell) => html`<th scope="col" role="columnheader">!${inline(cell)}</th>`);
      const labels = token.header.map(({ text }) => plainText(text));
      // The first and the last cell need none.
      const isNamed = (column: number) => column > 0 && column < labels.length - 1;
      const nameOf = (column: number) => (isNamed(column) ? html` data-label="${labels[column]}"` : '');
      const cells = (row: Tokens.TableCell[]) =>
        row.map((cell, column) => html`<td role="cell"!${nameOf(column)}>!${inline(cell)}</td>`);
      return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table role="table">
<thead role="rowgroup"><tr role="row">!${head}</tr></thead>
<tbody role="rowgroup">!${token.rows.map((row) => html`<tr role="row">!${cells(row)}</tr>`)}</tbody>
</table></div>
`;
    },
    link({ href, tokens }) {
      return html`<a href="${addressOf(href)}">!${this.parser.parseInline(tokens)}</a>`;
    },
    html({ text }) {
      throw new Error(`A page of the documentation has raw HTML: ${text}`);
    },
  };
}

function sectionsOf(tokens: Token[]): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const section = sections.at(-1);
    if (token.type === 'heading') {
      const heading = plainText(token['text']);
      sections.push({ id: token['depth'] === 1 ? undefined : slugOf(heading), heading, text: '' });
    } else if (section !== undefined) section.text = `${section.text} ${plainText(token.raw)}`.trim();
  }
  return sections;
}

/** Languages of programs that do the same if they follow each other. */
const PROGRAMS = ['sh', 'js', 'ts', 'py', 'go', 'php', 'rb', 'javascript', 'python', 'golang'];

/** Groups programs in different languages that follow each other directly. */
function groupSamples(tokens: Token[]): { isGroup: boolean; tokens: Token[] }[] {
  const groups: { isGroup: boolean; tokens: Token[] }[] = [];
  let samples: Token[] = [];
  const end = () => {
    if (samples.length > 0) groups.push({ isGroup: samples.length > 1, tokens: samples });
    samples = [];
  };
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const isProgram = token.type === 'code' && PROGRAMS.includes(token['lang']);
    if (!isProgram || samples.some((sample) => sample.type === 'code' && sample['lang'] === token['lang'])) end();
    if (isProgram) samples.push(token);
    else groups.push({ isGroup: false, tokens: [token] });
  }
  end();
  return groups;
}

// Without GFM, which makes links of addresses such as name@example.com.
const inline = new Marked({ gfm: false, renderer: createRenderer([]) });

/** Renders a text without paragraphs. */
export const renderInline = (markdown: string): string => inline.parseInline(markdown, { async: false });

/** Renders a part of a page. @param heading the nearest above, which names tables */
export const renderPart = (markdown: string, heading: string): string =>
  new Marked({ gfm: true, renderer: createRenderer([], heading) }).parse(markdown, { async: false });

/**
 * Renders a page of the documentation.
 *
 * @throws Error if the page has raw HTML or no title
 */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true, renderer: createRenderer(headings) });
  const tokens = marked.lexer(markdown);
  const sections = sectionsOf(tokens);
  const [first] = sections;
  if (first === undefined) throw new Error('A page of the documentation has no title.');
  const description = plainText(tokens.find(({ type }) => type === 'paragraph')?.raw ?? '');
  const rendered = groupSamples(tokens).map(({ isGroup, tokens }) => {
    const shown = marked.parser(tokens);
    return isGroup ? `<div class="samples">\n${shown}</div>\n` : shown;
  });
  return { title: first.heading, description, html: rendered.join(''), headings, sections };
}
