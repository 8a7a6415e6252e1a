import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { shown } from '../../layout/shown-rows.ts';
import { environmentNames, type Organization } from './organization-query.ts';

type Key = Organization['keys'][number];

/** The API keys of both modes. Their values are stored nowhere. */
export const KeysPanel = ({ organization: { organization_id, keys } }: { organization: Organization }) => (
  <Panel title="API keys" description="Admins create and revoke them in the portal; the command revokes one at once.">
    <DataTable
      caption="API keys"
      columns={columns}
      query={shown(keys)}
      rowKey={({ key_id }) => key_id}
      empty={<NothingHere>No keys yet.</NothingHere>}
    />
    <CommandLine command={`bestow key list --org ${organization_id}`} />
  </Panel>
);

const columns: Column<Key>[] = [
  {
    header: 'Name',
    cell: ({ name, hint }) => (
      <>
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="block font-mono text-[0.8125rem] text-soft">{hint}</span>
      </>
    ),
  },
  { header: 'Mode', cell: ({ environment }) => environmentNames[environment] },
  { header: 'Status', cell: (key) => <KeyState of={key} /> },
  {
    header: 'Last used',
    isWide: true,
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time at={last_used_at} />),
  },
  { header: 'Created', isWide: true, align: 'right', cell: ({ created_at }) => <Time at={created_at} /> },
];

function KeyState({ of: { revoked_at, expires_at } }: { of: Key }) {
  if (revoked_at !== null) return <Badge tone="plain">Revoked</Badge>;
  if (expires_at === null) return <Badge tone="good">Active</Badge>;
  return (
    <>
      Until <Time at={expires_at} />
    </>
  );
}
