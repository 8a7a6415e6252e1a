import { steeringTable } from '../sandbox/steering-table.ts';
import { settingRow, settings } from '../settings.ts';

const MARKED = /<!-- (steering|settings) -->\n[\s\S]*?<!-- \/\1 -->/g;

/** Returns the settings table in Markdown. */
function settingsTable(): string {
  const rows = (Object.keys(settings) as (keyof typeof settings)[]).map(settingRow);
  return ['| Variable | Default | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Fills in the generated tables of a page, between the marks `<!-- steering -->` and `<!-- settings -->`. */
export function fillTables(markdown: string, mailDomain: string): string {
  const tables: Record<string, string> = { steering: steeringTable(mailDomain), settings: settingsTable() };
  return markdown.replace(MARKED, (_, name: string) => `<!-- ${name} -->\n${tables[name]}\n<!-- /${name} -->`);
}

/** Removes the marks of the tables. */
export const withoutMarks = (markdown: string): string => markdown.replaceAll(/<!-- \/?[a-z]+ -->\n/g, '');
