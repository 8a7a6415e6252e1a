import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { formatMonth } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

/** One or two lines of the panel. */
const SHOWN_MONTHS = 6;

/** Links to the monthly statements. */
export function StatementsPanel() {
  const { path, params } = useScope();
  const [isAll, setIsAll] = useState(false);
  const months = useQuery({
    queryKey: ['balance', path, 'statements'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance/statements`, { params: { path } })),
  });
  const all = months.data?.data ?? [];
  return (
    <Panel title="Monthly statements" description="For your records, signed: as PDF, or as JSON that can be verified.">
      <Loaded query={months} lines={2}>
        {() =>
          all.length === 0 ? (
            <p className="text-soft">The first statement appears with the first entry.</p>
          ) : (
            <ul className="flex flex-wrap gap-x-6">
              {(isAll ? all : all.slice(0, SHOWN_MONTHS)).map((month) => (
                <li key={month} className="min-w-32">
                  <Link
                    to="/$organizationId/$environment/balance/statements/$month"
                    params={{ ...params, month }}
                    className="inline-block py-1.5 font-semibold text-accent underline-offset-4 hover:underline"
                  >
                    {formatMonth(month)}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className="mt-3">
        <Link
          to="/$organizationId/$environment/balance/reconcile"
          params={params}
          className="font-semibold text-accent underline-offset-4 hover:underline"
        >
          Reconcile with your records
        </Link>
      </p>
      {!isAll && all.length > SHOWN_MONTHS && (
        <p className="mt-3">
          <Button size="small" onClick={() => setIsAll(true)}>
            Show all {all.length} months
          </Button>
        </p>
      )}
    </Panel>
  );
}
