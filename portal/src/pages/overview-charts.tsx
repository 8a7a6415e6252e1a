import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { formatCount, formatDay } from '../ui/formats.ts';

/** The charts of the overview, in a file of their own: Recharts is loaded when they are first drawn. */

/** A day, and its figures by their names. */
export interface DayRow {
  day: string;
  [figure: string]: string | number;
}

export interface ChartSeries {
  /** A figure of the rows. */
  key: string;
  label: string;
  /** A colour of styles.css. */
  color: string;
}

interface DayChartProps {
  rows: readonly DayRow[];
  /** From the bottom to the top. */
  series: readonly ChartSeries[];
  height: number;
  /** How a value is written at the axis. */
  formatAxis: (value: number) => string;
  formatValue?: (value: number) => string;
}

const AXIS_WIDTH_PX = 52;
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const tick = { fill: 'var(--ink-soft)', fontSize: 12 };

/** A stack of bars for each day. Nothing moves: people look at it every day, and it is there at once. */
export default function DayChart(props: DayChartProps) {
  const { rows, series, height, formatAxis, formatValue = formatCount } = props;
  return (
    <BarChart
      responsive
      data={[...rows]}
      style={{ width: '100%', height }}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="22%"
      // The picture is one image to assistive software, with a table beside it.
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="day"
        tickFormatter={(day: string) => shortDay.format(new Date(day))}
        tick={tick}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-strong)' }}
        minTickGap={28}
        height={28}
        tickMargin={8}
      />
      <YAxis
        width={AXIS_WIDTH_PX}
        tickFormatter={formatAxis}
        tick={tick}
        tickLine={false}
        axisLine={false}
        allowDecimals={false}
        tickCount={5}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: 'var(--sunken)' }}
        content={(tooltip) => <DayTooltip tooltip={tooltip} series={series} formatValue={formatValue} />}
      />
      {series.map(({ key, label, color }) => (
        <Bar
          key={key}
          dataKey={key}
          name={label}
          stackId="day"
          fill={color}
          maxBarSize={28}
          isAnimationActive={false}
          activeBar={false}
        />
      ))}
    </BarChart>
  );
}

interface DayTooltipProps {
  tooltip: TooltipContentProps;
  series: readonly ChartSeries[];
  formatValue: (value: number) => string;
}

/** The day's figures, the top of the stack first, those that are nothing left out. */
function DayTooltip({ tooltip: { active, label, payload }, series, formatValue }: DayTooltipProps) {
  if (!active || typeof label !== 'string') return null;
  const values = series
    .map((one) => ({ ...one, value: Number(payload.find(({ dataKey }) => dataKey === one.key)?.value ?? 0) }))
    .filter(({ value }) => value !== 0 || series.length === 1)
    .reverse();
  return (
    <div className="rounded-xl border border-line bg-surface px-3 py-2 text-sm text-ink shadow-soft">
      <p className="font-semibold">{formatDay(label)}</p>
      {values.length === 0 && <p className="text-soft">None</p>}
      {values.map((one) => (
        <p key={one.key} className="flex items-center justify-between gap-5 tabular-nums">
          <span className="flex items-center gap-2 text-soft">
            <Swatch color={one.color} />
            {one.label}
          </span>
          {formatValue(one.value)}
        </p>
      ))}
    </div>
  );
}

const Swatch = ({ color }: { color: string }) => (
  <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: color }} />
);
