import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { countOf } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { operatorApi } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { CommandLine } from '../../layout/command-line.tsx';

type Finding =
  paths['/operator/api/health/findings']['get']['responses'][200]['content']['application/json']['data'][number];

const states: Record<Finding['state'], { tone: Tone; label: string; rank: number }> = {
  fault: { tone: 'bad', label: 'Fault', rank: 0 },
  warning: { tone: 'warn', label: 'Warning', rank: 1 },
  ok: { tone: 'good', label: 'Fine', rank: 2 },
};

/** What the doctor finds. It asks other services, so it runs when it is asked. */
export function FindingsPanel() {
  const findings = useQuery({
    queryKey: ['findings'],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/health/findings')),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isAsked = findings.isFetching || findings.data !== undefined || findings.error !== null;
  return (
    <Panel
      title="Checks"
      description="Settings, database, providers, ledger and stuck work. Of the ledger they verify what came after its newest seals."
      actions={
        <Button
          size="small"
          variant={findings.data === undefined ? 'primary' : 'secondary'}
          onClick={() => void findings.refetch()}
          isBusy={findings.isFetching}
        >
          {findings.isFetching ? 'Checking …' : findings.data === undefined ? 'Run the checks' : 'Check again'}
        </Button>
      }
    >
      {isAsked && (
        <Loaded query={findings} lines={6}>
          {({ data }) => <Findings findings={data} />}
        </Loaded>
      )}
      <CommandLine command="bestow doctor" />
    </Panel>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const worst = findings.toSorted((one, other) => states[one.state].rank - states[other.state].rank);
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  return (
    <>
      <p role="status" className="mb-3 font-semibold">
        {count('fault') + count('warning') === 0
          ? `All ${countOf(findings.length, 'check')} are fine.`
          : `${countOf(count('fault'), 'fault')}, ${countOf(count('warning'), 'warning')}, ${count('ok')} fine.`}
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {worst.map(({ check, state, found, advice }) => (
          <li key={check} className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[6rem_1fr]">
            <span>
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
            </span>
            <div className="min-w-0 wrap-anywhere">
              <p>
                <span className="font-semibold">{check}</span>: {found}
              </p>
              {advice !== null && <p className="text-soft">{advice}</p>}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
