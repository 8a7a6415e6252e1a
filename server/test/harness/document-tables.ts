import assert from 'node:assert/strict';

/** The rows of the table between `<!-- marker -->` and `<!-- /marker -->`, cell by cell, without the heading. */
export function tableOf(markdown: string, marker: string): string[][] {
  const [, table] = new RegExp(`<!-- ${marker} -->\n(.*)\n<!-- /${marker} -->`, 's').exec(markdown) ?? [];
  const [heading, , ...rows] = (table ?? assert.fail(`There is no table ${marker}.`)).split('\n').map(cellsOf);
  for (const row of rows) assert.equal(row.length, heading?.length, row.join(' | '));
  return rows;
}

const cellsOf = (line: string) => line.slice(2, -2).split(' | ');

export const inBackticks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
