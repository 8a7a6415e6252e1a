import { countOf } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { dayText } from './contact.ts';
import { labelOf } from './contact-headings.ts';
import type { ContactRow } from './read-contacts.ts';

/** More rows would slow the page down. */
const MOST_SHOWN = 50;

const addressOf = ({ contact }: ContactRow) =>
  contact?.delivery.method === 'email' ? contact.delivery.email : contact?.delivery.phone;

const columns: Column<ContactRow>[] = [
  { header: 'Line', cell: ({ line }) => line },
  { header: 'Address', cell: (row) => <span className="wrap-anywhere">{addressOf(row)}</span> },
  { header: 'Name', cell: ({ contact }) => <bdi className="wrap-anywhere">{contact?.name}</bdi> },
  { header: 'Tags', cell: ({ contact }) => contact?.tags?.join(', '), isWide: true },
  { header: 'Birthday', cell: ({ contact }) => dayText(contact?.birthday ?? null), isWide: true },
  { header: 'First day of work', cell: ({ contact }) => dayText(contact?.work_anniversary ?? null), isWide: true },
];

const faultColumns: Column<ContactRow>[] = [
  { header: 'Line', cell: ({ line }) => line },
  { header: 'Column', cell: ({ fault }) => (fault?.column == null ? '' : labelOf(fault.column)) },
  { header: 'What to correct', cell: ({ fault }) => <span className="wrap-anywhere">{fault?.message}</span> },
];

interface RowsProps {
  rows: readonly ContactRow[];
}

/** The first rows that are imported. */
export const WholeRows = ({ rows }: RowsProps) => <Rows caption="Rows to import" rows={rows} columns={columns} />;

/** Rows with a fault, which a person corrects in the file. */
export const FaultyRows = ({ title, rows }: RowsProps & { title: string }) =>
  rows.length === 0 ? null : (
    <Panel title={title} description={`${countOf(rows.length, 'row')}. Correct the file, and import it again.`}>
      <Rows caption={title} rows={rows} columns={faultColumns} />
    </Panel>
  );

function Rows({ caption, rows, columns: shown }: RowsProps & { caption: string; columns: Column<ContactRow>[] }) {
  const data = rows.slice(0, MOST_SHOWN);
  return (
    <>
      <DataTable
        caption={caption}
        columns={shown}
        query={{ data: { data }, error: null, refetch: () => undefined }}
        rowKey={({ line }) => String(line)}
        empty={<p className="text-soft">No row can be imported.</p>}
      />
      {rows.length > MOST_SHOWN && (
        <p className="mt-3 text-sm text-soft">And {countOf(rows.length - MOST_SHOWN, 'more row')}.</p>
      )}
    </>
  );
}
