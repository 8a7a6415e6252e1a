import { steeringTable } from '../sandbox/steering-table.ts';
import { settingRow, settings } from '../settings.ts';

const MARKED = /<!-- (steering|settings) -->\n[\s\S]*?<!-- \/\1 -->/g;

/** The settings in Markdown. */
function settingsTable(): string {
  const rows = (Object.keys(settings) as (keyof typeof settings)[]).map(settingRow);
  return ['| Variable | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/**
 * A page's Markdown with the tables that the code makes, each between its marks: `<!-- steering -->` and
 * `<!-- settings -->`.
 */
export function fillTables(markdown: string, mailDomain: string): string {
  const tables: Record<string, string> = { steering: steeringTable(mailDomain), settings: settingsTable() };
  return markdown.replace(MARKED, (_, name: string) => `<!-- ${name} -->\n${tables[name]}\n<!-- /${name} -->`);
}

/** The same without the marks, as it is shown. */
export const withoutMarks = (markdown: string): string => markdown.replaceAll(/<!-- \/?[a-z]+ -->\n/g, '');
