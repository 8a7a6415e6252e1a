import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { dateOf } from 'bestow-readers/time.ts';
import { type ReactNode, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { servicePath } from '../../base/address.ts';
import { WordmarkPicture } from '../../layout/wordmark.tsx';
import { Button } from '../../ui/button.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { SelectField } from '../../ui/field.tsx';
import { formatCount, formatDay, formatMoney, formatMonth } from '../../ui/formats.ts';
import { type Language, languageChoices } from '../../ui/languages.ts';
import { Facts, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { brandQuery } from '../brand/brand-draft.ts';
import { Change, entryKinds } from './balance-entry.tsx';
import { StatementLines } from './statement-lines.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { ReconcilePage } from './reconcile.tsx';

type Statement = components['schemas']['Statement'];

const route = getRouteApi('/signed-in/$organizationId/$environment/balance/statements/$month');

/** The organization's logo, or ours. */
function Letterhead() {
  const { data } = useQuery(brandQuery(useScope().organizationId));
  const logo = data?.logo;
  return logo ? (
    <img
      src={servicePath + logo.path}
      width={logo.width}
      height={logo.height}
      alt=""
      className="h-auto max-h-14 w-auto"
    />
  ) : (
    <WordmarkPicture />
  );
}

/** A monthly statement, made for printing. */
export function StatementPage() {
  const { path, organizationId, environment, params } = useScope();
  const { month } = route.useParams();
  const statement = useQuery({
    queryKey: ['balance', path, 'statements', month],
    queryFn: () =>
      unwrap(api.GET(`${SCOPE_PATH}/balance/statements/{month}`, { params: { path: { ...path, month } } })),
  });
  const { data } = statement;
  const [language, setLanguage] = useState<Language | ''>('');
  const address = `/portal/api/organizations/${organizationId}/${environment}/balance/statements/${month}`;
  return (
    <>
      <div className="hidden px-4 sm:px-8 print:block">
        <Letterhead />
      </div>
      <Page
        title={data === undefined ? 'Statement' : `Statement, ${formatMonth(data.month)}`}
        description={
          <Link
            to="/$organizationId/$environment/balance"
            params={params}
            className="font-semibold text-accent underline-offset-4 hover:underline print:hidden"
          >
            Back to the balance
          </Link>
        }
        actions={
          data !== undefined && (
            <>
              <ExportLink
                href={`/portal/api/organizations/${organizationId}/${environment}/balance/entries.csv`}
                query={{ from: data.from, to: data.to }}
              />
              <ExportLink href={`${address}/signed`} query={{}} label="Signed JSON" />
              <ExportLink href={`${address}/pdf`} query={{ language }} label="PDF" />
              <SelectField<Language | ''>
                label="Language of the PDF"
                isLabelHidden
                value={language}
                onChange={setLanguage}
                options={languageChoices('PDF in its usual language')}
              />
              <Button variant="primary" onClick={() => window.print()}>
                Print
              </Button>
            </>
          )
        }
      >
        <Sheet>
          <Loaded query={statement} lines={14}>
            {(loaded) => <Filled statement={loaded} />}
          </Loaded>
        </Sheet>
      </Page>
    </>
  );
}

/** A panel on screen, without a frame in print. */
const Sheet = ({ children }: { children: ReactNode }) => (
  <article className="min-w-0 rounded-2xl border border-line bg-surface p-5 shadow-soft sm:p-8 print:border-0 print:bg-transparent print:p-0 print:shadow-none">
    {children}
  </article>
);

function Filled({ statement }: { statement: Statement }) {
  const { membership, environment } = useScope();
  return (
    <div className="grid gap-8">
      <Facts
        facts={[
          ['Organization', membership.organization_name],
          [
            'Organization ID',
            <span key="id" className="font-mono text-[0.875rem]">
              {membership.organization_id}
            </span>,
          ],
          ['Balance', environment === 'live' ? 'Live' : 'Sandbox (test money)'],
          ['Period', `${formatDay(statement.from)} to ${formatDay(lastDayOf(statement))} (UTC)`],
          ...(statement.is_final ? [] : [['Status', 'Not final: the month has not ended.'] as const]),
        ]}
      />
      <section>
        <h2 className="mb-2 text-lg">Summary</h2>
        <Summary statement={statement} />
      </section>
      <section>
        <h2 className="mb-2 text-lg">{statement.entries === null ? 'Days' : 'Entries'}</h2>
        <StatementLines statement={statement} />
      </section>
    </div>
  );
}

const lastDayOf = ({ to }: Statement) => new Date(dateOf(to).getTime() - 1).toISOString();

const rowClass = 'border-b border-line last:border-0';
const sumNames = {
  funding: entryKinds.funding,
  adjustment: 'Corrections',
  order: 'Orders',
  refund: 'Refunds',
} as const;

function Summary({ statement }: { statement: Statement }) {
  const { currency } = useScope();
  const { opening_balance, closing_balance, totals } = statement;
  return (
    <table className="w-full max-w-xl border-collapse">
      <caption className="sr-only">From the opening to the closing balance</caption>
      <tbody>
        <tr className={rowClass}>
          <th scope="row" className="py-2 text-left font-normal">
            Opening balance
          </th>
          <td className="py-2 text-right whitespace-nowrap">{formatMoney(opening_balance, currency)}</td>
        </tr>
        {(['funding', 'adjustment', 'order', 'refund'] as const).map((kind) => (
          <tr key={kind} className={rowClass}>
            <th scope="row" className="py-2 text-left font-normal">
              {sumNames[kind]} <span className="text-soft">({formatCount(totals[kind].entries)})</span>
            </th>
            <td className="py-2 text-right">
              <Change cents={totals[kind].amount} />
            </td>
          </tr>
        ))}
        <tr className="border-t-2 border-line-strong">
          <th scope="row" className="py-2 text-left font-semibold">
            Closing balance
          </th>
          <td className="py-2 text-right font-semibold whitespace-nowrap">{formatMoney(closing_balance, currency)}</td>
        </tr>
      </tbody>
    </table>
  );
}
