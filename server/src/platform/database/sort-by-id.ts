/** Sorts the joined rows of several shards by a UUID, oldest first. */
export const sortById = <Name extends string, Row extends Record<Name, string>>(
  rows: readonly Row[],
  name: Name,
): Row[] => rows.toSorted((a, b) => (a[name] < b[name] ? -1 : 1));
