import { formatMoney } from '../../../ui/formats.ts';
import { Facts, Panel } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { OperatorPage } from '../../layout/operator-page.tsx';

/** Which service this is, and who looks at it. */
export function ServicePage() {
  const { email, proved_at, expires_at, service } = useSession();
  const { currency, public_url, environments, approval_above } = service;
  return (
    <OperatorPage title="Service" description="Which service this is, and how you are signed in.">
      <Panel title="This service">
        <Facts
          facts={[
            ['Address', public_url],
            ['Currency', currency],
            ['Modes', environments.map((one) => (one === 'live' ? 'Live' : 'Sandbox')).join(' and ')],
            [
              'Second person',
              approval_above === 0 ? 'Never needed' : `Approves amounts above ${formatMoney(approval_above, currency)}`,
            ],
          ]}
        />
        <CommandLine command="bestow doctor" />
      </Panel>
      <Panel title="You">
        <Facts
          facts={[
            ['Email address', email],
            ['Confirmed', <Time key="proved" at={proved_at} />],
            ['Session ends', <Time key="ends" at={expires_at} />],
          ]}
        />
        <CommandLine command="bestow operator list" />
      </Panel>
    </OperatorPage>
  );
}
