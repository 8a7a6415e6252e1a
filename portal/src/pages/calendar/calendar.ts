import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components, operations } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';

export type YearlyGift = components['schemas']['YearlyGift'];
export type YearlyRule = components['schemas']['YearlyRule'];
export type RuleToSave = operations['addYearlyRule']['requestBody']['content']['application/json'];

export const occasions = { birthday: 'Birthday', work_anniversary: 'Work anniversary' } as const;

/** Such as `2027-03`. */
const monthText = (monthMs: number) => new Date(monthMs).toISOString().slice(0, 'YYYY-MM'.length);

/** The month so many months from now. */
export function monthFromNow(months: number): string {
  const now = new Date();
  const monthMs = Date.UTC(now.getFullYear(), now.getMonth() + months);
  return monthText(monthMs);
}

/** The gifts of a month. */
export function useCalendar(month: string) {
  const { path, may } = useScope();
  return useQuery({
    queryKey: ['calendar', path, month],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/yearly-gifts`, { params: { path, query: { month } } })),
    enabled: may('order', 'request'),
  });
}

/** What saving a rule sends. */
export const inputOf = ({
  name,
  tag,
  occasion,
  template_id,
  time_zone,
  hour,
  mode,
  yearly_limit,
  is_paused,
}: YearlyRule): RuleToSave => ({ name, tag, occasion, template_id, time_zone, hour, mode, yearly_limit, is_paused });

/** Such as `09:00`. */
export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
