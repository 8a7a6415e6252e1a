import { CheckIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Operator } from '../../layout/operator.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount, formatDay, formatMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { DataTable } from '../../ui/table.tsx';

/** What only some visits show of the overview, in one file: each more lengthens the list that the first page loads. */

const EXAMPLE_CENTS = 2_500;

type Overview = components['schemas']['Overview'];

/** Leads a new organization to its first order. */
export function FirstSteps({ overview: { outlook, first_steps: steps } }: { overview: Overview }) {
  const { me, environment, params } = useScope();
  const isSandbox = environment === 'sandbox';
  const linkClass = 'font-semibold text-accent underline-offset-4 hover:underline';
  const order = firstOrder({
    url: me.service.api_url,
    category: steps.example_category,
    // A live gift is real, so it goes to the person.
    email: isSandbox ? `delivered@${me.service.sandbox_mail_domain}` : me.email,
  });
  return (
    <Panel
      title="First steps"
      description={isSandbox ? 'Test mode: no real money, no messages.' : 'Three steps to your first gift.'}
    >
      <ol className="grid gap-5">
        <Step number={1} title="Create a key" isDone={steps.has_key}>
          Your program sends it with each request.{' '}
          <Link to="/$organizationId/$environment/keys" params={params} className={linkClass}>
            API keys
          </Link>
        </Step>
        <Step number={2} title={isSandbox ? 'Add test funds' : 'Add funds'} isDone={outlook.balance >= EXAMPLE_CENTS}>
          Orders are charged to the balance.{' '}
          <Link to="/$organizationId/$environment/balance" params={params} className={linkClass}>
            Balance
          </Link>
        </Step>
        <Step number={3} title="Place an order" isDone={steps.has_order}>
          Replace <code className="font-mono text-[0.875rem]">YOUR_KEY</code> with your key.{' '}
          {isSandbox ? 'The gift is delivered immediately.' : 'The gift goes to your email address.'}
        </Step>
      </ol>
      <div className="mt-4 rounded-xl bg-sunken p-4 sm:ml-11">
        <pre className="font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap">{order}</pre>
        <div className="mt-3">
          <CopyButton text={order} label="Copy command" />
        </div>
      </div>
    </Panel>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.75rem_1fr] gap-x-4">
      <span
        aria-hidden
        className={`grid size-7 place-items-center rounded-full text-sm font-semibold ${isDone ? 'bg-good-wash text-good' : 'bg-sunken text-soft'}`}
      >
        {isDone ? <CheckIcon /> : number}
      </span>
      <div>
        <p className="font-semibold">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        <p className="text-soft">{children}</p>
      </div>
    </li>
  );
}

function firstOrder({ url, category, email }: { url: string; category: string; email: string }): string {
  const body = { gifts: [{ amount: EXAMPLE_CENTS, category, delivery: { method: 'email', email } }] };
  return `curl -s -w '\\n' '${url}/v1/orders' \\
  -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'Idempotency-Key: my-first-order' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
}

/** Warns that cards of live gifts are simulated. */
export function SimulatedIssuers({ own }: { own: string }) {
  return (
    <p role="note" className="rounded-xl border border-bad/40 bg-bad-wash px-4 py-3 text-bad">
      <strong>{own === '' ? 'The cards of live gifts buy nothing.' : 'Some cards of live gifts buy nothing.'}</strong>{' '}
      They are simulated, because no card issuer is set up{own === '' ? '' : ` except for ${own}`}. Ask <Operator />.
    </p>
  );
}

/** The figures of the orders' charts. */
export function OrdersTable({ days }: { days: Overview['days'] }) {
  const { currency } = useScope();
  return (
    <DataTable
      caption="Orders and their value per day"
      columns={[
        { header: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
        { header: 'Orders', cell: (day) => formatCount(day.orders), align: 'right' },
        { header: 'Value', cell: (day) => formatMoney(day.amount, currency), align: 'right' },
      ]}
      query={{ data: { data: days.toReversed() }, error: null, refetch: () => undefined }}
      rowKey={({ day }) => day}
      empty={null}
    />
  );
}

interface DeliveriesTableProps {
  rows: readonly { day: string; [status: string]: string | number }[];
  statuses: readonly { key: string; label: string }[];
}

/** The figures of the deliveries' chart. */
export function DeliveriesTable({ rows, statuses }: DeliveriesTableProps) {
  return (
    <DataTable
      caption="Gifts per day by status"
      columns={[
        { header: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
        ...statuses.map(({ key, label }) => ({
          header: label,
          cell: (day: (typeof rows)[number]) => formatCount(Number(day[key])),
          align: 'right' as const,
          ...(key === 'claimed' || key === 'failed' ? {} : { isWide: true }),
        })),
      ]}
      query={{ data: { data: rows.toReversed() }, error: null, refetch: () => undefined }}
      rowKey={({ day }) => day}
      empty={null}
    />
  );
}
