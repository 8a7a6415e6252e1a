import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { servicePath } from '../address.ts';
import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { usePlace } from '../layout/use-place.ts';
import { Code, CopyableCode, WithCode } from '../ui/code.tsx';
import { Page, Panel } from '../ui/page.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';

type Steering = components['schemas']['Testing']['steering'][number];

const effects: Record<Steering['effect'], string> = {
  delivered: 'Delivered',
  failed: 'Delivery fails',
  opened: 'Opened',
  claimed: 'Claimed',
  spent: 'Spent',
  processing: 'Takes a while',
  insufficient_balance: 'Balance too low',
  internal_error: 'Server error',
  rate_limit_exceeded: 'Too many requests',
  response_lost: 'Answer lost',
  slow: 'Slow answer',
};

const linkClass = 'text-accent underline underline-offset-2';

export function TestingPage() {
  const { params, environment, me } = usePlace();
  const testing = useQuery({
    queryKey: ['testing'],
    queryFn: () => unwrap(api.GET('/portal/api/testing')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title="Testing" description="Try everything out without money and without a message to anyone.">
      {environment === 'live' && (
        <p className="rounded-xl border border-line bg-sunken px-4 py-3">
          All of this works with sandbox keys only. With a live key these addresses are like any other, and a gift to
          one costs money.{' '}
          <Link
            to="/$organizationId/$environment/testing"
            params={{ ...params, environment: 'sandbox' }}
            className={linkClass}
          >
            Go to Sandbox mode
          </Link>
        </p>
      )}
      <Panel
        title="Addresses that decide what happens"
        description={
          <>
            Send a sandbox gift to one of them, by email or by phone. A label keeps parallel tests apart:{' '}
            <Code>{`delivered+7@${me.service.sandbox_mail_domain}`}</Code> does the same. Every other address leaves the
            gift waiting until you say what happens, with the buttons on its page or by the API.
          </>
        }
      >
        {testing.error !== null && testing.data === undefined ? (
          <ErrorState error={testing.error} onRetry={() => void testing.refetch()} />
        ) : testing.data === undefined ? (
          <Skeleton lines={20} />
        ) : (
          <ul className="-mb-3 divide-y divide-line border-t border-line">
            {testing.data.steering.map((row) => (
              <SteeringRow key={row.effect} row={row} />
            ))}
          </ul>
        )}
      </Panel>
      <div className="grid gap-6 lg:grid-cols-3">
        <Step title="Keys">
          A sandbox key begins with <Code>bestow-sandbox-</Code>. The same program works for real with a live key and
          nothing else changed.{' '}
          <Link
            to="/$organizationId/$environment/keys"
            params={{ ...params, environment: 'sandbox' }}
            className={linkClass}
          >
            Sandbox keys
          </Link>
        </Step>
        <Step title="Messages">
          The sandbox sends nothing. Each gift’s page shows the message as it would have gone out.
          {testing.data?.has_outbox === true && (
            <>
              {' '}
              Whoever sits at the machine that this service runs on sees all messages, live ones too, in the{' '}
              <a href={`${servicePath}/outbox`} className={linkClass}>
                outbox
              </a>
              .
            </>
          )}
        </Step>
        <Step title="Reference">
          Every operation with examples is in the{' '}
          <a href={`${servicePath}/docs/api`} className={linkClass}>
            API reference
          </a>
          , and what each error means in the{' '}
          <a href={`${servicePath}/docs/errors`} className={linkClass}>
            list of errors
          </a>
          .
        </Step>
      </div>
    </Page>
  );
}

const SteeringRow = ({ row: { effect, emails, phone, description } }: { row: Steering }) => (
  <li className="grid gap-x-6 gap-y-1.5 py-3 lg:grid-cols-[minmax(0,1fr)_21rem_9.5rem]">
    <div>
      <h3 className="font-sans text-[0.9375rem]">{effects[effect]}</h3>
      <p className="mt-0.5 text-sm text-soft">
        <WithCode text={description} />
      </p>
    </div>
    <div className="grid content-start gap-1 max-sm:text-sm">
      {emails.map((email) => (
        <CopyableCode key={email} label={`Copy ${email}`}>
          {email}
        </CopyableCode>
      ))}
    </div>
    <div className="grid content-start max-sm:text-sm">
      <CopyableCode label={`Copy ${phone}`}>{phone}</CopyableCode>
    </div>
  </li>
);

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <Panel title={title}>
    <p className="text-soft">{children}</p>
  </Panel>
);
