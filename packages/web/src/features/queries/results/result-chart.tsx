import { Select, useComputedColorScheme } from '@mantine/core';
import { BarChart, LineChart } from 'echarts/charts';
import { DataZoomComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef, useState } from 'react';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { isNumber, isTime, type ResultColumn, type ResultRow, textOf } from '../../../views/results/cells.ts';
import { type ChartChoice, firstChart } from './chart-choice.ts';
import classes from './result-chart.module.css';

use([BarChart, LineChart, GridComponent, TooltipComponent, DataZoomComponent, CanvasRenderer]);

type Props = {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  /** Shows the row behind a point. */
  readonly onOpenRow: (row: number) => void;
};

/** A result as a chart. The table beside it is its twin for readers. */
export function ResultChart({ columns, rows, onOpenRow }: Props) {
  const [choice, setChoice] = useState(() => firstChart(columns));
  if (!choice) {
    return (
      <Empty icon="chart" title="Nothing to draw">
        A chart needs a column of numbers and one other column.
      </Empty>
    );
  }
  const option = (column: ResultColumn, index: number) => ({ value: String(index), label: column.name });
  const numbers = columns.map(option).filter((_, index) => isNumber(columns[index] as ResultColumn));
  return (
    <div className={classes['frame']}>
      <div className={classes['tools']}>
        <Select
          aria-label="Kind of chart"
          data={[
            { value: 'line', label: 'Line' },
            { value: 'bar', label: 'Bars' },
          ]}
          value={choice.kind}
          onChange={(kind) => setChoice({ ...choice, kind: kind === 'line' ? 'line' : 'bar' })}
          w={104}
        />
        <Select
          aria-label="Upwards"
          data={numbers}
          value={String(choice.y)}
          onChange={(y) => setChoice({ ...choice, y: Number(y) })}
          w={160}
        />
        <span className="soft">over</span>
        <Select
          aria-label="Across"
          data={columns.map(option)}
          value={String(choice.x)}
          onChange={(x) => setChoice({ ...choice, x: Number(x) })}
          w={160}
        />
      </div>
      <Drawing columns={columns} rows={rows} choice={choice} onOpenRow={onOpenRow} />
    </div>
  );
}

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function Drawing({ columns, rows, choice, onOpenRow }: Props & { readonly choice: ChartChoice }) {
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const open = useRef(onOpenRow);
  open.current = onOpenRow;
  const x = columns[choice.x];
  const y = columns[choice.y];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes the colours that are read from the page
  useEffect(() => {
    if (!host.current || !x || !y) return;
    const chart = init(host.current, null, { renderer: 'canvas' });
    const font = { color: token('--text-soft'), fontFamily: token('--font-mono'), fontSize: 12 };
    const isZoned = isTime(x);
    const points = rows.map((row, index) => ({
      value: [textOf(row[choice.x]), row[choice.y] === null ? null : Number(row[choice.y])],
      rowNumber: index,
    }));
    chart.setOption({
      animation: false,
      textStyle: font,
      grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
      tooltip: {
        trigger: 'axis',
        // Drawn on the canvas: a page without inline styles cannot show the other kind.
        renderMode: 'richText',
        backgroundColor: token('--surface'),
        borderColor: token('--line-strong'),
        textStyle: { ...font, color: token('--text') },
      },
      dataZoom: [{ type: 'inside' }],
      xAxis: {
        type: isZoned && choice.kind === 'line' ? 'time' : 'category',
        axisLabel: { ...font, hideOverlap: true },
        axisLine: { lineStyle: { color: token('--line-strong') } },
        axisTick: { show: false },
      },
      yAxis: {
        type: 'value',
        // Bars are read by their length, so they start at zero; lines too, unless they dip below it.
        scale: false,
        axisLabel: font,
        splitLine: { lineStyle: { color: token('--line') } },
      },
      series: [
        {
          type: choice.kind,
          name: y.name,
          data: points,
          connectNulls: false,
          showSymbol: rows.length < 60,
          symbolSize: 6,
          barMaxWidth: 40,
          lineStyle: { width: 2 },
          itemStyle: { color: token('--accent') },
        },
      ],
    });
    chart.on('click', (event) => {
      const data = event.data as { rowNumber?: number } | undefined;
      if (data?.rowNumber !== undefined) open.current(data.rowNumber);
    });
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [columns, rows, choice, scheme]);

  return (
    <div
      ref={host}
      role="img"
      aria-label={`${y?.name ?? ''} over ${x?.name ?? ''}, ${rows.length} points. The table holds the same values.`}
      className={classes['drawing']}
    />
  );
}
