import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { formatCount, formatDay, formatShortDay } from '../../ui/formats.ts';

/** The overview's charts are a separate chunk, because of Recharts. */

export interface DayRow {
  day: string;
  [figure: string]: string | number;
}

export interface ChartSeries {
  /** A key of the rows. */
  key: string;
  label: string;
  /** A CSS variable of styles.css. */
  color: string;
}

interface DayChartProps {
  rows: readonly DayRow[];
  /** From bottom to top. */
  series: readonly ChartSeries[];
  height: number;
  /** Formats the labels of the axis. */
  formatAxis: (value: number) => string;
  formatValue?: (value: number) => string;
}

const AXIS_WIDTH_PX = 52;
const tick = { fill: 'var(--ink-soft)', fontSize: 12 };

/** A stacked bar for each day, without animation. */
export default function DayChart(props: DayChartProps) {
  const { rows, series, height, formatAxis, formatValue = formatCount } = props;
  return (
    <BarChart
      responsive
      data={[...rows]}
      style={{ width: '100%', height }}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="22%"
      // Screen readers get one image and a table instead.
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="day"
        tickFormatter={formatShortDay}
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

/** The figures of a day from top to bottom, without zeros. */
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
