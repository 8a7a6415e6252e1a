import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded, RefreshFailed } from './states.tsx';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Hidden on phones. */
  isWide?: boolean;
}

interface DataTableProps<Row> {
  /** For screen readers. */
  caption: string;
  /** For screen readers: singular and plural of a row, such as `['gift', 'gifts']`. */
  counted?: readonly [one: string, many: string];
  columns: readonly Column<Row>[];
  query: {
    data: { data: readonly Row[] } | undefined;
    error: Error | null;
    isPlaceholderData?: boolean;
    refetch: () => unknown;
  };
  rowKey: (row: Row) => string;
  /** The first cell of a row becomes this link. */
  rowLink?: (row: Row) => LinkProps;
  empty: ReactNode;
  loadingLines?: number;
}

/** A table with its loading, error and empty states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, empty, counted, loadingLines = 10 } = props;
  const { data, error } = query;
  const count = data?.data.length ?? 0;
  return (
    <>
      {counted !== undefined && (
        <p role="status" className="sr-only">
          {data !== undefined && !query.isPlaceholderData && `Showing ${count} ${counted[count === 1 ? 0 : 1]}.`}
        </p>
      )}
      <Loaded query={query} lines={loadingLines}>
        {({ data: rows }) => (
          <>
            {error !== null && (
              <div className="mb-3">
                <RefreshFailed error={error} />
              </div>
            )}
            {count === 0 ? empty : <Rows {...props} rows={rows} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Rows<Row>({ caption, columns, rows, query, rowKey, rowLink }: DataTableProps<Row> & { rows: readonly Row[] }) {
  // On a phone the last visible column gets the padding of the panel's edge.
  const lastNarrow = columns.findLast(({ isWide }) => !isWide);
  const lookOf = (column: Column<Row>) =>
    `${column.isWide ? 'hidden md:table-cell' : ''} ${column.align === 'right' ? 'text-right' : 'text-left'} ${column === lastNarrow ? 'max-md:pr-5 sm:max-md:pr-6' : ''}`;
  return (
    <div className={`-mx-5 overflow-x-auto sm:-mx-6 ${query.isPlaceholderData ? 'opacity-60' : ''}`}>
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-sm text-soft">
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={`px-3 py-2 font-semibold whitespace-nowrap first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6 ${lookOf(column)}`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={`border-b border-line align-top last:border-0 ${rowLink ? 'scale-100 hover:bg-sunken/60' : ''}`}
            >
              {columns.map((column, index) => (
                <td
                  key={column.header}
                  className={`px-3 py-3 first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6 ${lookOf(column)}`}
                >
                  {index === 0 && rowLink ? (
                    // The whole row is clickable; the link's text is the first cell. The row is transformed because in WebKit
                    // `relative` does not keep the link's area in it: each row would open the last one.
                    <Link
                      {...rowLink(row)}
                      className="font-semibold text-ink after:absolute after:inset-0 hover:text-accent"
                    >
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
