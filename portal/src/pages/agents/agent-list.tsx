import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { categoryOptions } from '../../ui/category.ts';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import {
  describeActs,
  describeEnd,
  describeRecipients,
  type Grant,
  isUnlimited,
  limitsOf,
  mayChangeGifts,
  periods,
} from './agent-terms.ts';

export type Act = 'limits' | 'replace' | 'revoke';

interface AgentListProps {
  grants: readonly Grant[];
  onAct: (act: Act, grant: Grant) => void;
}

/** The active grants: too many facts for the columns of a table. */
export const AgentList = ({ grants, onAct }: AgentListProps) => (
  <ul className="-mx-5 mt-4 border-t border-line sm:-mx-6">
    {grants.map((grant) => (
      <li key={grant.grant_id} className="border-b border-line px-5 py-5 last:border-0 last:pb-0 sm:px-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 className="font-sans text-base font-semibold wrap-anywhere">{grant.name}</h2>
            <Access grant={grant} />
          </div>
          <Acts grant={grant} onAct={(act) => onAct(act, grant)} />
        </div>
        <div className="mt-4 grid items-start gap-x-10 gap-y-3 lg:grid-cols-2">
          <Terms grant={grant} />
          <Use grant={grant} />
        </div>
      </li>
    ))}
  </ul>
);

/** How it gets in: by signing in, or by a token that someone copied. */
const Access = ({ grant: { client_name, hint } }: { grant: Pick<Grant, 'client_name' | 'hint'> }) =>
  client_name === null ? (
    <p className="font-mono text-[0.8125rem] text-soft">{hint}</p>
  ) : (
    <p className="text-sm text-soft wrap-anywhere">
      Signs in as “{client_name}” {hint !== null && <span className="font-mono text-[0.8125rem]">{hint}</span>}
    </p>
  );

function Acts({ grant, onAct }: { grant: Grant; onAct: (act: Act) => void }) {
  const { includes, may } = useScope();
  if (!includes('integrate')) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {may('integrate') && mayChangeGifts(grant) && (
        <Button size="small" onClick={() => onAct('limits')} aria-label={`Change limits of ${grant.name}`}>
          Change limits
        </Button>
      )}
      {may('integrate') && grant.client_name === null && (
        <Button size="small" onClick={() => onAct('replace')} aria-label={`Replace token of ${grant.name}`}>
          Replace token
        </Button>
      )}
      <Button size="small" variant="danger" onClick={() => onAct('revoke')} aria-label={`Revoke ${grant.name}`}>
        Revoke
      </Button>
    </div>
  );
}

function Terms({ grant }: { grant: Grant }) {
  const { choices } = useCategories();
  const named = categoryOptions(choices);
  const categories = grant.categories?.map((id) => named.find(({ value }) => value === id)?.label ?? id);
  return (
    <Facts
      facts={[
        ['May do', describeActs(grant)],
        ...(mayChangeGifts(grant)
          ? [
              ['Recipients', describeRecipients(grant)] as const,
              ['Categories', categories === undefined ? 'All' : categories.join(', ')] as const,
            ]
          : []),
      ]}
    />
  );
}

function Use({ grant }: { grant: Grant }) {
  const { created_at, created_by, last_used_at, expires_at } = grant;
  return (
    <Facts
      facts={[
        ...(mayChangeGifts(grant) ? [['Limits', <LimitLines key="limits" grant={grant} />] as const] : []),
        ['Last used', last_used_at === null ? 'Never' : <Time key="used" at={last_used_at} />],
        ['Ends', expires_at === null ? 'No end date' : <Time key="ends" at={expires_at} />],
        [
          'Created',
          <>
            <Time at={created_at} /> by {created_by}
          </>,
        ],
      ]}
    />
  );
}

function LimitLines({ grant }: { grant: Grant }) {
  const { currency } = useScope();
  const { limits, permissions, ask_above } = grant;
  return (
    <>
      {periods.map(({ period, words, isCounted }) => {
        const limit = limits[period];
        if (limit === null) return null;
        return (
          <span key={period} className="block tabular-nums">
            <span className="font-semibold">{formatRoundMoney(limit.cap, currency)}</span> {words}{' '}
            {isCounted && <span className="text-sm text-soft">({formatMoney(limit.spent, currency)} spent)</span>}
          </span>
        );
      })}
      {ask_above !== null && (
        <span className="block tabular-nums">
          {ask_above === 0 ? (
            'Asks an admin for each order'
          ) : (
            <>
              Asks an admin above <span className="font-semibold">{formatRoundMoney(ask_above, currency)}</span>
            </>
          )}
        </span>
      )}
      {isUnlimited(permissions, limitsOf(grant)) && (
        <span className="block text-warn">No limit per hour, per day or in all</span>
      )}
    </>
  );
}

/** The grants that were revoked or expired, or whose member left. */
export const EndedAgents = ({ grants }: { grants: readonly Grant[] }) => (
  <Panel title="Ended agents">
    <DataTable
      caption="Ended agents"
      columns={endedColumns}
      query={{ data: { data: grants }, error: null, refetch: () => undefined }}
      rowKey={({ grant_id }) => grant_id}
      empty={null}
    />
  </Panel>
);

const endedColumns: Column<Grant>[] = [
  {
    header: 'Name',
    cell: (grant) => (
      <>
        <span className="text-soft wrap-anywhere">{grant.name}</span>
        <Access grant={grant} />
      </>
    ),
  },
  { header: 'Ended', cell: (grant) => <span className="text-soft">{describeEnd(grant)}</span> },
  {
    header: 'Created',
    cell: ({ created_at, created_by }) => (
      <span className="text-soft">
        <Time at={created_at} />
        <span className="block text-sm wrap-anywhere">{created_by}</span>
      </span>
    ),
    isWide: true,
  },
];
