import { Link } from '@tanstack/react-router';
import { formatMoney } from '../../../ui/formats.ts';
import { Facts, Panel } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import type { components } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';

export type Found = components['schemas']['Found'];

const Organization = ({ id }: { id: string }) => (
  <Link
    to="/organizations/$organizationId"
    params={{ organizationId: id }}
    className="font-mono text-[0.8125rem] text-accent underline underline-offset-2"
  >
    {id}
  </Link>
);

/** A request of the API log, which has the last seven days. */
export const FoundRequest = ({ request }: { request: NonNullable<Found['request']> }) => (
  <Panel title="Request">
    <Facts
      facts={[
        ['Request', `${request.method} ${request.path}`],
        ['Answer', request.status === null ? 'None' : String(request.status)],
        ['Time', <Time key="time" at={request.created_at} hasSeconds />],
        ['Mode', request.environment === 'live' ? 'Live' : 'Sandbox'],
        ['Organization', <Organization key="organization" id={request.organization_id} />],
      ]}
    />
    <CommandLine command={`bestow request show ${request.request_id}`} />
  </Panel>
);

export function FoundTopup({ topup }: { topup: NonNullable<Found['topup']> }) {
  const { currency } = useSession().service;
  return (
    <Panel title="Top-up">
      <Facts
        facts={[
          ['Amount', formatMoney(topup.amount, currency)],
          ['State', topup.state.replaceAll('_', ' ')],
          ['Begun', <Time key="time" at={topup.created_at} />],
          ['Organization', <Organization key="organization" id={topup.organization_id} />],
        ]}
      />
      <CommandLine command={`bestow topup list --org ${topup.organization_id}`} />
    </Panel>
  );
}
