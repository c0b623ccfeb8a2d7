import { Button } from '@mantine/core';
import type { HomeTrends, RunFigures } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, duration, plural } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Bars } from '../../ui/record/bars.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './home-page.module.css';
import { homeTrends } from './requests/home.ts';
import { SpanChoice, useSpan } from './span-choice.tsx';

const everyMs = 60_000;
const spans = {
  name: 'days',
  label: 'Days of the trends',
  options: [
    ['7', '7 days'],
    ['30', '30 days'],
    ['90', '90 days'],
  ],
  standard: '30',
} as const;

type Day = HomeTrends['days'][number];

/** Daily runs as charts or as a table, compared with the preceding days. */
export function Trends({ isEnabled }: { readonly isEnabled: boolean }) {
  const days = useSpan(spans);
  const [isTable, setTable] = useState(false);
  const trends = useQuery({
    ...homeTrends({ days: Number(days) }),
    enabled: isEnabled,
    refetchInterval: usePollMs(everyMs),
    placeholderData: (previous) => previous,
  });
  return (
    <section className="stack-tight" aria-labelledby="trends">
      <div className="row wrap">
        <h2 id="trends">Trends</h2>
        <span className="soft">days in UTC, today so far</span>
        <span className="grow" />
        <SpanChoice {...spans} />
        <Button
          size="compact-sm"
          leftSection={<Icon name={isTable ? 'chart' : 'table'} />}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Charts' : 'Table'}
        </Button>
      </div>
      {trends.isLoadingError ? (
        <ProblemView error={trends.error} onRetry={() => void trends.refetch()} />
      ) : isTable ? (
        <DayTable days={trends.data?.days.toReversed()} isStale={trends.isPlaceholderData} />
      ) : (
        <div className={classes['charts']}>
          <Runs trends={trends.data} />
          <Failed trends={trends.data} />
          <QueryTime trends={trends.data} />
        </div>
      )}
    </section>
  );
}

type ChartProps = { readonly trends: HomeTrends | undefined };

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayName = (day: Day | undefined): string => (day ? dayFormat.format(new Date(day.date)) : '');

function Chart({
  trends,
  title,
  value,
  more,
  label,
  format = count,
  barOf,
}: ChartProps & {
  readonly title: string;
  readonly value: string;
  readonly more: string;
  readonly label: string;
  readonly format?: (value: number) => string;
  readonly barOf: (day: Day) => Omit<Parameters<typeof Bars>[0]['bars'][number], 'key'>;
}) {
  const days = trends?.days ?? [];
  return (
    <div className={classes['chart']}>
      <h3>{title}</h3>
      <span className={classes['value']}>{value}</span>
      <span className={classes['label']}>{more}</span>
      <Bars
        label={label}
        bars={days.map((day) => ({ key: day.date, ...barOf(day) }))}
        format={format}
        first={dayName(days[0])}
        last={dayName(days.at(-1))}
      />
    </div>
  );
}

const none = '–';
/** Placeholder that reserves the space of a line until it is loaded. */
const noLine = '\u00A0';
const none0: RunFigures = { runs: 0, sent: 0, failed: 0, averageMs: null, p95Ms: null };
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Compares two numbers, such as "12 more than in the 30 days before". */
function compared(now: number, before: number, days: number): string {
  const span = `the ${plural(days, 'day')} before`;
  if (now === before) return `as many as in ${span}`;
  return `${count(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than in ${span}`;
}

function Runs({ trends }: ChartProps) {
  const { total = none0, before = none0, days = [] } = trends ?? {};
  return (
    <Chart
      trends={trends}
      title="Runs"
      value={trends ? count(total.runs) : none}
      more={trends ? compared(total.runs, before.runs, days.length) : noLine}
      label={`Runs by day: ${count(total.runs)}, of which ${count(total.sent)} sent and ${count(total.failed)} failed.`}
      barOf={(day) => ({
        hint: `${dayName(day)}: ${plural(day.runs, 'run')}, ${count(day.sent)} sent, ${count(day.failed)} failed`,
        parts: [
          { tone: 'red', value: day.failed },
          { tone: 'green', value: day.sent },
          { tone: 'neutral', value: day.runs - day.sent - day.failed },
        ],
      })}
    />
  );
}

function Failed({ trends }: ChartProps) {
  const { total = none0, before = none0, days = [] } = trends ?? {};
  const share = total.runs > 0 ? `${percent.format(total.failed / total.runs)} of the runs, ` : '';
  return (
    <Chart
      trends={trends}
      title="Failed runs"
      value={trends ? count(total.failed) : none}
      more={trends ? `${share}${compared(total.failed, before.failed, days.length)}` : noLine}
      label={`Runs that failed or ran out of time, by day: ${count(total.failed)}.`}
      barOf={(day) => ({
        hint: `${dayName(day)}: ${count(day.failed)} of ${plural(day.runs, 'run')} failed`,
        parts: [{ tone: 'red', value: day.failed }],
      })}
    />
  );
}

function QueryTime({ trends }: ChartProps) {
  const { averageMs = null, p95Ms = null } = trends?.total ?? {};
  const time = (ms: number | null) => (ms === null ? none : duration(ms));
  return (
    <Chart
      trends={trends}
      title="Time of queries"
      value={time(p95Ms)}
      more={p95Ms === null ? 'No query was timed' : `p95; mean ${time(averageMs)}`}
      label={`p95 of the time of queries, by day: ${time(p95Ms)} over all.`}
      format={duration}
      barOf={(day) => ({
        hint: `${dayName(day)}: ${time(day.p95Ms)}, mean ${time(day.averageMs)}`,
        parts: day.p95Ms === null ? [] : [{ tone: 'blue', value: day.p95Ms }],
      })}
    />
  );
}

const dayColumns = [
  { id: 'day', label: 'Day', cell: (day: Day) => dayName(day) },
  ...(
    [
      ['runs', 'Runs', (day: Day) => count(day.runs)],
      ['sent', 'Sent', (day: Day) => count(day.sent)],
      ['failed', 'Failed', (day: Day) => count(day.failed)],
    ] as const
  ).map(([id, label, cell]) => ({
    id,
    label,
    width: '72px',
    align: 'right' as const,
    cell: (day: Day) => <span className="mono">{cell(day)}</span>,
  })),
  ...(
    [
      ['average', 'Mean', (day: Day) => day.averageMs],
      ['p95', 'p95', (day: Day) => day.p95Ms],
    ] as const
  ).map(([id, label, of]) => {
    const cell = (day: Day) => {
      const ms = of(day);
      return <span className="mono">{ms === null ? '' : duration(ms)}</span>;
    };
    return { id, label, width: '104px', align: 'right' as const, from: 480 as const, cell };
  }),
];

const DayTable = (props: { readonly days: readonly Day[] | undefined; readonly isStale: boolean }) => (
  <Table
    label="Trends by day"
    columns={dayColumns}
    rows={props.days}
    isStale={props.isStale}
    keyOf={(day) => day.date}
  />
);
