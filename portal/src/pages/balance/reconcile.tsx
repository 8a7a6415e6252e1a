import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { formatCount, formatMoney, formatMonth } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { TableFileField } from '../../ui/table-file-field.tsx';
import { useAct } from '../../ui/use-act.ts';

type Reconciliation = components['schemas']['Reconciliation'];
type Line = Reconciliation['lines'][number];
type Kind = 'order' | 'funding' | 'all';
interface Chosen {
  csv: string;
  month: string;
  kind: Kind;
}

const results = {
  amount_differs: 'Amount differs',
  missing_here: 'Missing here',
  missing_there: 'Missing in your file',
} as const;

/** Compares a file of the customer's own records with the ledger. */
export function ReconcilePage() {
  const { path, params } = useScope();
  const comparison = useAct({
    send: (body: Chosen) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/balance/reconciliations`, {
          params: { path },
          body,
        }),
      ),
  });
  return (
    <Page
      title="Reconcile"
      description={
        <Link
          to="/$organizationId/$environment/balance"
          params={params}
          className="font-semibold text-accent underline-offset-4 hover:underline"
        >
          Back to the balance
        </Link>
      }
    >
      <Panel
        title="Your records"
        description="A CSV or Excel file with the columns reference and amount (whole cents). A reference is your external_id, or one of our ids."
      >
        <RecordsForm comparison={comparison} />
      </Panel>
      {comparison.data !== undefined && <Result reconciliation={comparison.data} />}
    </Page>
  );
}

/** @param comparison of the chosen file; another choice removes its result */
function RecordsForm({ comparison }: { comparison: UseMutationResult<Reconciliation, Error, Chosen> }) {
  const { path } = useScope();
  const [month, setMonth] = useState<string>();
  const [kind, setKind] = useState<Kind>('order');
  const [csv, setCsv] = useState<string>();
  const months = useQuery({
    queryKey: ['balance', path, 'statements'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance/statements`, { params: { path } })),
  });
  const all = months.data?.data ?? [];
  const chosen = month ?? all[0] ?? new Date().toISOString().slice(0, 7);
  const change = (act: () => void) => {
    comparison.reset();
    act();
  };
  return (
    <form
      className="max-w-md"
      onSubmit={(event) => {
        event.preventDefault();
        if (csv !== undefined) comparison.mutate({ csv, month: chosen, kind });
      }}
    >
      <SelectField
        label="Month"
        value={chosen}
        onChange={(value) => change(() => setMonth(value))}
        options={(all.length === 0 ? [chosen] : all).map((value) => ({ value, label: formatMonth(value) }))}
      />
      <SelectField
        label="The file has"
        value={kind}
        onChange={(value) => change(() => setKind(value))}
        options={[
          { value: 'order', label: 'Orders' },
          { value: 'funding', label: 'Funds added' },
          { value: 'all', label: 'Every entry' },
        ]}
      />
      <TableFileField
        columns={['reference', 'amount']}
        hint="At most 10,000 lines. It is compared and not stored."
        onChange={(value) => change(() => setCsv(value))}
        error={comparison.error}
      />
      <p className="mt-5">
        <Button type="submit" variant="primary" disabled={csv === undefined || comparison.isPending}>
          {comparison.isPending ? 'Comparing…' : 'Compare'}
        </Button>
      </p>
    </form>
  );
}

function Result({ reconciliation }: { reconciliation: Reconciliation }) {
  const { currency } = useScope();
  const { counts, lines } = reconciliation;
  const money = (cents: number | null) => (cents === null ? '–' : formatMoney(cents, currency));
  return (
    <Panel title="Result">
      <div role="status">
        <Facts
          facts={[
            ['Matched', formatCount(counts.matched)],
            [results.amount_differs, formatCount(counts.differing)],
            [results.missing_here, formatCount(counts.missing_here)],
            [results.missing_there, formatCount(counts.missing_there)],
          ]}
        />
      </div>
      <div className="mt-6">
        <DataTable
          caption="What does not match"
          query={{ data: { data: lines }, error: null, refetch: () => undefined }}
          rowKey={({ result, reference, entry_id }) => `${result} ${reference} ${entry_id}`}
          columns={[
            { header: 'Result', cell: ({ result }: Line) => results[result] },
            {
              header: 'Reference',
              cell: ({ reference, order_id, entry_id }) => (
                <span className="break-all">{reference ?? order_id ?? entry_id}</span>
              ),
            },
            { header: 'Here', align: 'right', cell: ({ amount_here }) => money(amount_here) },
            { header: 'Your file', align: 'right', cell: ({ amount_there }) => money(amount_there) },
          ]}
          empty={<EmptyState title="Everything matches" />}
        />
      </div>
    </Panel>
  );
}
