import { useComputedColorScheme } from '@mantine/core';
import { BarChart, LineChart } from 'echarts/charts';
import { DataZoomComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useEffectEvent, useRef } from 'react';
import { plural } from '../../../lib/format.ts';
import type { ChartChoice } from './chart-choice.ts';
import type { ChartPoints } from './chart-points.ts';
import classes from './result-chart.module.css';

use([BarChart, LineChart, GridComponent, TooltipComponent, DataZoomComponent, CanvasRenderer]);

type Props = {
  readonly label: string;
  readonly choice: ChartChoice;
  readonly chartPoints: ChartPoints;
  /** Names of the measures, in the order of the values. */
  readonly names: readonly string[];
  /** Shows the first row of a point. */
  readonly onOpenRow: (row: number) => void;
};

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The dash distinguishes lines in addition to the colour. */
const dashes = ['solid', 'dashed', 'dotted', [8, 3, 2, 3]] as const;
const symbolsUpTo = 60;
const labelCharactersMax = 24;

/** Chart drawing, in the colours of the page. */
export function ChartDrawing({ label, choice: { kind }, chartPoints, names, onOpenRow }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const openPoint = useEffectEvent((index: number) => {
    const point = chartPoints.points[index];
    if (point) onOpenRow(point.row);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes the colours that are read from the page
  useEffect(() => {
    if (!host.current) return;
    const chart = init(host.current, null, { renderer: 'canvas' });
    chart.setOption(optionOf(kind, chartPoints, names));
    chart.on('click', (event) => openPoint(event.dataIndex ?? -1));
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [chartPoints, kind, names, scheme]);

  return <div ref={host} role="img" aria-label={label} className={classes['drawing']} />;
}

/** Returns the definition of a chart. Reads the present colours of the page. */
function optionOf(kind: ChartChoice['kind'], chartPoints: ChartPoints, names: readonly string[]) {
  const font = { color: token('--text-soft'), fontFamily: token('--font-mono'), fontSize: 12 };
  const { axis, points } = chartPoints;
  const isCategory = axis === 'category';
  return {
    animation: false,
    // Times are shown as they appear in the result.
    useUTC: true,
    textStyle: font,
    grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
    tooltip: {
      trigger: 'axis',
      // The canvas renders the tooltip. The alternative needs inline styles, which the page does not permit.
      renderMode: 'richText',
      backgroundColor: token('--surface'),
      borderColor: token('--line-strong'),
      textStyle: { ...font, color: token('--text') },
      formatter: (shown: unknown) => tooltipOf(shown, chartPoints, names),
    },
    dataZoom: [{ type: 'inside' }],
    xAxis: {
      type: axis,
      ...(isCategory && { data: points.map((point) => point.label) }),
      axisLabel: { ...font, hideOverlap: true, ...(isCategory && { formatter: shortened }) },
      axisLine: { lineStyle: { color: token('--line-strong') } },
      axisTick: { show: false },
      splitLine: { show: false },
      scale: true,
    },
    yAxis: {
      type: 'value',
      // Bars start at zero, because readers compare their lengths. Lines start at zero too, unless a value is
      // negative.
      scale: false,
      axisLabel: font,
      splitLine: { lineStyle: { color: token('--line') } },
    },
    series: names.map((name, measure) => ({
      type: kind,
      name,
      data: points.map((point, index) => [isCategory ? index : point.at, point.values[measure]]),
      connectNulls: false,
      showSymbol: points.length < symbolsUpTo,
      symbolSize: 6,
      barMaxWidth: 40,
      ...(axis === 'time' && { barMinWidth: 2 }),
      lineStyle: { width: 2, type: dashes[measure] },
      itemStyle: { color: token(`--series-${measure + 1}`) },
    })),
  };
}

const shortened = (text: string): string =>
  text.length > labelCharactersMax ? `${text.slice(0, labelCharactersMax - 1)}…` : text;

/** Returns the tooltip of a point: its name, each measure and its number of rows. */
function tooltipOf(shown: unknown, { points }: ChartPoints, names: readonly string[]): string {
  const [first] = Array.isArray(shown) ? (shown as readonly { readonly dataIndex?: number }[]) : [];
  const point = points[first?.dataIndex ?? -1];
  if (!point) return '';
  const lines = names.map((name, index) => {
    const value = point.values[index];
    return `${name}: ${value === null || value === undefined ? 'NULL' : value.toLocaleString('en')}`;
  });
  const rows = point.rowCount > 1 ? [`of ${plural(point.rowCount, 'row')}`] : [];
  return [point.label, ...lines, ...rows].join('\n');
}
