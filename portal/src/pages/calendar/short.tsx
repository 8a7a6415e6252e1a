import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { useRules } from '../../api/yearly-rules.ts';
import { formatMoney } from '../../ui/formats.ts';
import type { YearlyGift } from './calendar.ts';

const sumOf = (gifts: readonly YearlyGift[]) => gifts.reduce((cents, { amount }) => cents + amount, 0);

/** Says before the day what the limit of a rule or the balance would not cover. */
export function Short({ gifts }: { gifts: readonly YearlyGift[] }) {
  const { path, currency, includes } = useScope();
  const rules = useRules().data?.data ?? [];
  const coming = gifts.filter(({ state }) => state === 'coming' || state === 'waiting');
  const balance = useQuery({
    queryKey: ['balance', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance`, { params: { path } })),
    enabled: includes('money') && coming.length > 0,
  });
  const thisYear = new Date().getUTCFullYear();
  const limits = rules.flatMap(({ rule_id, name, yearly_limit, spent_this_year }) => {
    const own = coming.filter((gift) => gift.rule_id === rule_id);
    const sum = sumOf(own);
    const spent = own.some(({ year }) => year === thisYear) ? spent_this_year : 0;
    const left = yearly_limit === null ? sum : Math.max(yearly_limit - spent, 0);
    const text = `“${name}” may spend ${formatMoney(left, currency)} more in the year, and ${formatMoney(sum, currency)} comes in this month.`;
    return sum > left ? [{ key: rule_id, text }] : [];
  });
  const available = balance.data?.outlook.balance;
  const [needed, has] = [sumOf(coming), available ?? 0];
  const isShort = available !== undefined && needed > has;
  const text = `${formatMoney(needed, currency)} comes in this month, and the balance is ${formatMoney(has, currency)}.`;
  const notes = isShort ? [...limits, { key: 'balance', text }] : limits;
  if (notes.length === 0) return null;
  return (
    <ul className="mb-4 grid gap-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {notes.map((note) => (
        <li key={note.key}>{note.text}</li>
      ))}
    </ul>
  );
}
