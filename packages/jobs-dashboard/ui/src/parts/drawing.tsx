import { BarChart, LineChart } from 'echarts/charts';
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useTheme } from '../lib/theme.ts';
import type { ChartData } from './chart-data.ts';

use([BarChart, LineChart, GridComponent, TooltipComponent, AriaComponent, CanvasRenderer]);

const fontSize = 12;
const barMaxWidth = 28;
const sparseMax = 3;

function optionsOf({ kind, steps, series, unit }: ChartData, colour: (name: string) => string) {
  const font = { color: colour('text-soft'), fontFamily: colour('font-mono'), fontSize };
  return {
    animation: false,
    grid: { left: 4, right: 8, top: 8, bottom: 0, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      axisPointer: { type: kind === 'bar' ? 'shadow' : 'line' },
      backgroundColor: colour('surface'),
      borderColor: colour('line-strong'),
      textStyle: { ...font, color: colour('text') },
    },
    xAxis: {
      type: 'category',
      data: [...steps],
      boundaryGap: kind === 'bar',
      axisLine: { lineStyle: { color: colour('line-strong') } },
      axisTick: { show: false },
      axisLabel: { ...font, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      min: 0,
      minInterval: 1,
      splitLine: { lineStyle: { color: colour('line') } },
      axisLabel: { ...font, ...(unit !== undefined && { formatter: `{value} ${unit}` }) },
    },
    series: series.map((one) => ({
      name: one.name,
      type: kind,
      data: [...one.values],
      ...(kind === 'bar'
        ? { stack: 'all', barCategoryGap: '20%', barMaxWidth }
        : { showSymbol: isSparse(one.values), symbolSize: 4, connectNulls: false }),
      itemStyle: { color: colour(one.colour) },
      lineStyle: { width: 1.5, type: one.line ?? 'solid' },
    })),
  };
}

/** Isolated points form no line, so a sparse series shows symbols. */
const isSparse = (values: readonly (number | null)[]): boolean =>
  values.filter((value) => value !== null).length <= sparseMax;

/** Returns the value of a style sheet token in the visible theme. */
function colourOf(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (!value.includes('light-dark(')) return value;
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

type Props = { readonly data: ChartData; readonly className: string };

/** Drawing of a chart. It is hidden from screen readers, because a table contains the same data. */
export function Drawing({ data, className }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const theme = useTheme();
  useEffect(() => {
    if (!place.current) return;
    const created = init(place.current);
    chart.current = created;
    const observer = new ResizeObserver(() => created.resize());
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      created.dispose();
    };
  }, []);
  useEffect(() => {
    void theme;
    chart.current?.setOption(optionsOf(data, colourOf), { notMerge: true });
  }, [data, theme]);
  return <div ref={place} className={className} aria-hidden="true" />;
}
