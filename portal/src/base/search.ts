/** Search parameters are plain text, so that people can read, edit and share a URL. */

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const text = new URLSearchParams(entries).toString();
  return text === '' ? '' : `?${text}`;
}

/** A view of the gifts: filters, order and columns. */
export const giftSearch = ['query', 'status', 'method', 'category', 'from', 'to', 'order', 'columns'] as const;

/** Keeps these parameters of a URL and drops the others. */
export function pickSearch<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const kept: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') kept[name] = value;
    }
    return kept;
  };
}

type Cursors = { after?: string; before?: string };

/** Changes the filters and goes back to the first page. An empty value removes a filter. */
export function withFilters<Search extends Cursors>(
  search: Search,
  changes: { [Name in Exclude<keyof Search, keyof Cursors>]?: Search[Name] | undefined },
): Search {
  return withPage({ ...search, ...changes }, {});
}

/** The same search at another page. */
export function withPage<Search extends Cursors>({ after: _, before: __, ...search }: Search, cursor: Cursors): Search {
  return { ...search, ...cursor } as Search;
}

/** Drops undefined values, which query parameters do not allow. */
export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}
