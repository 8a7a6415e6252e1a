import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { servicePath } from '../../base/address.ts';
import { Code, CopyableCode, WithCode } from '../../ui/code.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

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
  response_lost: 'Response lost',
  slow: 'Slow response',
  resource_locked: 'Locked for a moment',
  idempotency_in_progress: 'Still in progress',
};

const linkClass = 'text-accent underline underline-offset-2';

export function TestingPage() {
  const { environment, me } = useScope();
  const testing = useQuery({
    queryKey: ['testing'],
    queryFn: () => unwrap(api.GET('/portal/api/testing')),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title="Testing" description="Try everything without spending money or sending messages.">
      {environment === 'live' && <LiveNotice />}
      <Panel
        title="Test addresses"
        description={
          <>
            Send a sandbox gift to one of these addresses by email or phone. Labels keep parallel tests apart:{' '}
            <Code>{`delivered+7@${me.service.sandbox_mail_domain}`}</Code> does the same. A gift to any other address
            waits until you simulate what happens, on its page or with the API.
          </>
        }
      >
        <Loaded query={testing} lines={20}>
          {({ steering }) => (
            <ul className="-mb-3 divide-y divide-line border-t border-line">
              {steering.map((row) => (
                <SteeringRow key={row.effect} row={row} />
              ))}
            </ul>
          )}
        </Loaded>
      </Panel>
      <Steps hasOutbox={testing.data?.has_outbox === true} />
    </Page>
  );
}

function LiveNotice() {
  const { params } = useScope();
  return (
    <p className="rounded-xl border border-line bg-sunken px-4 py-3">
      This works only with sandbox keys. A live key treats these addresses like any other, and gifts to them cost money.{' '}
      <Link
        to="/$organizationId/$environment/testing"
        params={{ ...params, environment: 'sandbox' }}
        className={linkClass}
      >
        Go to Sandbox mode
      </Link>
    </p>
  );
}

function Steps({ hasOutbox }: { hasOutbox: boolean }) {
  const { params } = useScope();
  return (
    <div className="grid gap-6 lg:grid-cols-3">
      <Step title="Keys">
        A sandbox key starts with <Code>bestow-sandbox-</Code>. To go live, replace it with a live key. Nothing else
        changes.{' '}
        <Link
          to="/$organizationId/$environment/keys"
          params={{ ...params, environment: 'sandbox' }}
          className={linkClass}
        >
          Sandbox keys
        </Link>
      </Step>
      <Step title="Messages">
        The sandbox does not send messages. Each gift’s page shows the message that would have been sent.
        {hasOutbox && (
          <>
            {' '}
            In the checkout of this service, <Code>server/bin/bestow.js outbox url</Code> prints the address of a page
            with all messages, including live ones.
          </>
        )}
      </Step>
      <Step title="Reference">
        For every operation with examples, see the{' '}
        <a href={`${servicePath}/docs/api`} className={linkClass}>
          API reference
        </a>
        . For the meaning of each error, see the{' '}
        <a href={`${servicePath}/docs/errors`} className={linkClass}>
          list of errors
        </a>
        .
      </Step>
    </div>
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
