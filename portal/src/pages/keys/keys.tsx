import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatTime } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useAdding } from '../../ui/use-adding.ts';
import { useKeys } from '../api-log/request-parts.tsx';
import { CreateKeyDialog } from './key-create.tsx';
import { RollKeyDialog } from './key-roll.tsx';

type Key = components['schemas']['Key'];

/** The keys of the current mode. The limit counts both modes. */
export function KeysPage() {
  const { environment, includes, may } = useScope();
  const { isAdding, begin, end } = useAdding('key');
  const [revoked, setRevoked] = useState<Key>();
  const [rolled, setRolled] = useState<Key>();
  const keys = useKeys();
  const left = keys.data === undefined ? undefined : keys.data.most_active - keys.data.active;
  const mayCreate = may('integrate') && left !== undefined && left > 0;

  return (
    <Page
      title="API keys"
      description="With a key, a program can place orders, spend the balance and read gifts. Keep keys on your servers."
      actions={
        may('integrate') && (
          <Button variant="primary" onClick={begin} disabled={!mayCreate}>
            Create a {environment} key
          </Button>
        )
      }
    >
      <Panel>
        {keys.data !== undefined && (
          <p className="mb-3 text-soft">
            {left === 0
              ? `All ${keys.data.most_active} active keys are in use (Live and Sandbox). Revoke one to create another.`
              : `${keys.data.active} of ${keys.data.most_active} active keys in use (Live and Sandbox).`}
          </p>
        )}
        <DataTable
          caption={`${environment === 'live' ? 'Live' : 'Sandbox'} keys`}
          columns={
            includes('integrate')
              ? [...columns, actionColumn(setRevoked, may('integrate') ? setRolled : undefined)]
              : columns
          }
          query={keys}
          rowKey={(key) => key.key_id}
          loadingLines={4}
          empty={
            <EmptyState title={`No ${environment} keys yet`}>
              {includes('integrate')
                ? 'Create one and place your first order in a minute.'
                : 'An admin can create one.'}
            </EmptyState>
          }
        />
      </Panel>
      {isAdding && mayCreate && <CreateKeyDialog onClose={end} />}
      {rolled !== undefined && <RollKeyDialog rolled={rolled} onClose={() => setRolled(undefined)} />}
      {revoked !== undefined && <RevokeKeyDialog revoked={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

const columns: Column<Key>[] = [
  {
    header: 'Name',
    cell: (key) => (
      <>
        <span className="font-semibold wrap-anywhere">{key.name}</span>
        <span className="mt-0.5 block font-mono text-[0.8125rem] text-soft">{key.hint}</span>
        {key.networks !== null && (
          <span className="mt-0.5 block min-w-24 text-soft text-xs wrap-anywhere md:text-sm">
            From {key.networks.join(', ')}
          </span>
        )}
      </>
    ),
  },
  {
    header: 'Status',
    cell: (key) => <KeyStatus {...key} />,
  },
  {
    header: 'Last used',
    cell: (key) => (key.last_used_at === null ? 'Never' : <Time at={key.last_used_at} />),
    isWide: true,
  },
  {
    header: 'Created',
    cell: (key) => (
      <>
        <Time at={key.created_at} />
        <span className="block text-sm text-soft wrap-anywhere">{key.created_by ?? ''}</span>
      </>
    ),
    isWide: true,
  },
];

function KeyStatus({ revoked_at, expires_at, is_active }: Key) {
  if (revoked_at !== null) return <Badge tone="plain">Revoked</Badge>;
  if (!is_active) return <Badge tone="plain">Expired</Badge>;
  if (expires_at === null) return <Badge tone="good">Active</Badge>;
  return (
    <>
      <Badge tone="good">Active</Badge>
      <span className="mt-0.5 block text-sm text-soft">
        Until <time dateTime={expires_at}>{formatTime(expires_at)}</time>
      </span>
    </>
  );
}

/** @param onRoll undefined while the organization is suspended */
const actionColumn = (onRevoke: (key: Key) => void, onRoll: ((key: Key) => void) | undefined): Column<Key> => ({
  header: 'Action',
  align: 'right',
  cell: (key) =>
    key.is_active && (
      <span className="inline-flex flex-col items-end gap-2 sm:flex-row">
        {onRoll !== undefined && (
          <Button size="small" onClick={() => onRoll(key)} aria-label={`Replace ${key.name}`}>
            Replace
          </Button>
        )}
        <Button size="small" variant="danger" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      </span>
    ),
});

function RevokeKeyDialog({ revoked, onClose }: { revoked: Key; onClose: () => void }) {
  const { path } = useScope();
  const revocation = useAct({
    send: () =>
      unwrap(api.POST(`${SCOPE_PATH}/keys/{key_id}/revoke`, { params: { path: { ...path, key_id: revoked.key_id } } })),
    done: `Revoked “${revoked.name}”.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke “${revoked.name}”?`}
      description={
        <>
          <p>
            Programs that use this key will get the error api_key_revoked, starting with their next request. You cannot
            undo this.
          </p>
          <p className="mt-2">
            {revoked.last_used_at === null ? (
              'This key was never used.'
            ) : (
              <>
                Last used <Time at={revoked.last_used_at} />.
              </>
            )}{' '}
            Existing gifts are not affected.
          </p>
        </>
      }
      action="Revoke key"
      act={revocation}
    />
  );
}
