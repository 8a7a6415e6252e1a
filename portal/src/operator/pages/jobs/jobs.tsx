import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { Loaded } from '../../../ui/states.tsx';
import { operatorApi } from '../../api/client.ts';
import { OperatorPage } from '../../layout/operator-page.tsx';
import { ApprovalsPanel } from './approvals-panel.tsx';
import { ClaimsPanel } from './claims-panel.tsx';
import { EndpointsPanel } from './endpoints-panel.tsx';
import { QueuesPanel } from './queues-panel.tsx';
import { StocksPanel } from './stocks-panel.tsx';
import { TopupsPanel } from './topups-panel.tsx';

const READ_EVERY_MS = 30_000;

/** What waits or fails, of all organizations. */
export function JobsPage() {
  const work = useQuery({
    queryKey: ['work'],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/work')),
    refetchInterval: READ_EVERY_MS,
  });
  return (
    <OperatorPage
      title="Work"
      description="What waits or fails, of all organizations. Each list has at most 100 rows, the most urgent first."
    >
      <Loaded query={work} lines={12}>
        {({ approvals, claims, endpoints, stocks, queues }) => (
          <>
            <ApprovalsPanel approvals={approvals} />
            <ClaimsPanel claims={claims} />
            <EndpointsPanel endpoints={endpoints} />
            <StocksPanel stocks={stocks} />
            <QueuesPanel queues={queues} />
          </>
        )}
      </Loaded>
      <TopupsPanel />
    </OperatorPage>
  );
}
