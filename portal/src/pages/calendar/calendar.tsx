import { getRouteApi } from '@tanstack/react-router';
import { useScope } from '../../api/use-scope.ts';
import { useRules } from '../../api/yearly-rules.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { countOf, formatMoney, formatMonth } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { monthFromNow, useCalendar } from './calendar.ts';
import { useGiftColumns } from './gift-columns.tsx';
import { RulesPanel } from './rules.tsx';
import { Short } from './short.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { ImportContactsPage } from '../contacts/contact-import.tsx';
export { ContactsPage } from '../contacts/contacts.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/calendar');

/** A year back and a year ahead. */
const months = Array.from({ length: 24 }, (_, n) => monthFromNow(n - 12));

/** The gifts that come each year, month by month, and their rules. */
export function CalendarPage() {
  const { may } = useScope();
  return (
    <Page
      title="Calendar"
      description="Gifts that come each year, on the birthdays and work anniversaries of your contacts."
    >
      {may('order', 'request') ? (
        <>
          <MonthPanel />
          <RulesPanel />
        </>
      ) : (
        <Panel>
          <EmptyState title="The calendar cannot be shown now">
            Only people who may send gifts see it, while the organization is active.
          </EmptyState>
        </Panel>
      )}
    </Page>
  );
}

function MonthPanel() {
  const { currency } = useScope();
  const { month: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const month = chosen !== undefined && months.includes(chosen) ? chosen : monthFromNow(0);
  const calendar = useCalendar(month);
  const { columns, question } = useGiftColumns();
  const { total = 0, amount = 0, left_out = 0, data = [] } = calendar.data ?? {};
  const go = (to: string) => void navigate({ search: to === monthFromNow(0) ? {} : { month: to } });
  return (
    <Panel
      title={formatMonth(month)}
      description={total === 0 ? undefined : `${countOf(total, 'gift')}, ${formatMoney(amount, currency)}`}
      actions={<MonthChoice month={month} onGo={go} />}
    >
      <Short gifts={data} />
      <DataTable
        caption={`Gifts of ${formatMonth(month)}`}
        counted={['gift', 'gifts']}
        columns={columns}
        query={calendar}
        rowKey={({ rule_id, contact_id, year }) => `${rule_id} ${contact_id} ${year}`}
        loadingLines={4}
        empty={<NoGifts />}
      />
      {left_out > 0 && <p className="mt-3 text-sm text-soft">And {countOf(left_out, 'more gift')} in this month.</p>}
      {question}
    </Panel>
  );
}

function MonthChoice({ month, onGo }: { month: string; onGo: (month: string) => void }) {
  const place = months.indexOf(month);
  const [before, after] = [months[place - 1], months[place + 1]];
  const step = (to: string | undefined, label: string, text: string) => (
    <Button size="small" aria-label={label} disabled={to === undefined} onClick={() => to !== undefined && onGo(to)}>
      {text}
    </Button>
  );
  return (
    <div className="flex items-center gap-2">
      {step(before, 'Month before', '‹')}
      <SelectField
        label="Month"
        isLabelHidden
        value={month}
        onChange={onGo}
        options={months.map((one) => ({ value: one, label: formatMonth(one) }))}
      />
      {step(after, 'Month after', '›')}
    </div>
  );
}

function NoGifts() {
  const { may } = useScope();
  const hasRules = (useRules().data?.data.length ?? 0) > 0;
  return (
    <EmptyState title="No gifts in this month">
      {hasRules
        ? 'No contact of your rules has a day in it.'
        : may('settings')
          ? 'Add a rule below, for example for all birthdays.'
          : 'An admin can add a rule, for example for all birthdays.'}
    </EmptyState>
  );
}
