import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FormError } from '../../ui/field.tsx';
import { formatCount, formatMoney } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';
import { Cancel } from '../gifts/cancel.tsx';
import { BatchLinks } from './batch-links.tsx';
import { type Batch, BatchBadge } from './batch-list.tsx';
import { BatchRows } from './batch-rows.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/files/$batchId');
const REFRESH_MS = 1_000;

const isMoving = ({ state }: Pick<Batch, 'state'>) => state === 'running' || state === 'canceling';

/** A file that was sent: how far it is, and the result of each row. */
export function BatchPage() {
  const { path, params, organizationId, environment, includes, may } = useScope();
  const { batchId } = route.useParams();
  const one = { params: { path: { ...path, batch_id: batchId } } };
  const { data, error, refetch } = useQuery({
    queryKey: ['batches', path, batchId],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/batches/{batch_id}`, one)),
    refetchInterval: ({ state: { data: batch } }) => (batch !== undefined && isMoving(batch) ? REFRESH_MS : false),
  });
  useRefreshed(data?.state);
  const files = `/portal/api/organizations/${organizationId}/${environment}/batches/${batchId}`;
  return (
    <Page
      title={data?.name ?? 'Sent file'}
      crumb={
        <Link to="/$organizationId/$environment/gifts/files" params={params}>
          Sent files
        </Link>
      }
      actions={
        data && (
          <>
            {includes('people') && (
              <ExportLink href={`${files}/results.csv`} query={{}} isGuarded label="Download results" />
            )}
            {may('links') && data.has_links && <BatchLinks href={`${files}/links.csv`} />}
            {data.state !== 'canceling' && data.state !== 'draft' && <CancelBatch batch={data} />}
          </>
        )
      }
    >
      {data === undefined ? (
        <Panel>
          {error === null ? (
            <Skeleton lines={6} />
          ) : (
            <Elsewhere
              error={error}
              onRetry={() => void refetch()}
              title="File not found"
              inOtherMode={(other) => ({
                to: '/$organizationId/$environment/gifts/files/$batchId',
                params: { ...params, environment: other, batchId },
              })}
            >
              It may belong to the other mode or to another organization.
            </Elsewhere>
          )}
        </Panel>
      ) : (
        <>
          <Progress batch={data} />
          <BatchRows batch={data} />
        </>
      )}
    </Page>
  );
}

/** Loads again what a batch bought or canceled, its rows included: before and after a cancellation the state is the same. */
function useRefreshed(state: Batch['state'] | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (state !== undefined && !isMoving({ state }))
      for (const name of ['batches', 'gifts', 'orders', 'balance', 'overview'] as const)
        void queryClient.invalidateQueries({ queryKey: [name] });
  }, [state, queryClient]);
}

function Progress({ batch }: { batch: Batch }) {
  const { currency } = useScope();
  const { rows, placed, refused, state } = batch;
  const waiting = rows - placed - refused;
  return (
    <Panel title="Progress" actions={<BatchBadge state={state} />}>
      <progress
        aria-label="Rows with a result"
        max={rows}
        value={placed + refused}
        className="h-2.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p role="status" className="mt-3 font-semibold">
        {formatCount(placed)} of {formatCount(rows)} gifts bought
        {refused > 0 && `, ${formatCount(refused)} refused`}
        {waiting > 0 && `, ${formatCount(waiting)} waiting`}
      </p>
      {batch.stop !== null && <Stopped batch={batch} message={batch.stop.message} />}
      <div className="mt-5">
        <Facts
          facts={[
            ['Total', formatMoney(batch.amount, currency)],
            ['Sent by', batch.member],
            ['Started', batch.started_at === null ? 'Not started' : <Time key="started" at={batch.started_at} />],
            ...(batch.ended_at === null ? [] : [['Ended', <Time key="ended" at={batch.ended_at} />] as const]),
          ]}
        />
      </div>
    </Panel>
  );
}

function Stopped({ batch, message }: { batch: Batch; message: string }) {
  const { path, params, includes, may, environment } = useScope();
  const resume = useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/batches/{batch_id}/resume`, {
          params: { path: { ...path, batch_id: batch.batch_id } },
        }),
      ),
    shows: ['batches', path, batch.batch_id],
  });
  return (
    <div role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p>
        <span className="font-semibold">Sending stopped.</span> {message} What was bought stays; nothing else was
        charged.
      </p>
      {batch.stop?.code === 'insufficient_balance' && includes('money') && (
        <Link to="/$organizationId/$environment/balance" params={params} className="font-semibold underline">
          {environment === 'live' ? 'Add funds' : 'Add test funds'}
        </Link>
      )}
      <FormError error={resume.error} />
      {may('order') && (
        <div className="mt-3">
          <Button variant="primary" onClick={() => resume.mutate()} isBusy={resume.isPending}>
            Resume
          </Button>
        </div>
      )}
    </div>
  );
}

function CancelBatch({ batch }: { batch: Batch }) {
  const { path } = useScope();
  return (
    <Cancel
      title="Cancel the unclaimed gifts?"
      description="No more gifts of this file are bought. The links of unclaimed gifts end, and their amounts return to the balance. Claimed gifts stay. This can’t be undone."
      label="Cancel unclaimed gifts"
      dismiss="Keep gifts"
      act={(body) => {
        const one = { params: { path: { ...path, batch_id: batch.batch_id } }, body };
        return unwrap(api.POST(`${SCOPE_PATH}/batches/{batch_id}/cancel`, one));
      }}
      shows={['batches', path, batch.batch_id]}
      done="Canceling the unclaimed gifts."
    />
  );
}
