import { useEffect, useMemo, useState } from 'react';
import type { Overview, Series } from '../../../src/api/overview.ts';
import { useAddress } from '../lib/address.ts';
import type { Json } from '../lib/api.ts';
import { clockTime, clockTimeSeconds, countText, dayTime, wholeNumber } from '../lib/format.ts';
import { useOverview, useSeries } from '../lib/requests.ts';
import { stateTone, stateWord } from '../lib/states.ts';
import { Chart } from '../parts/chart.tsx';
import type { ChartData } from '../parts/chart-data.ts';
import { Mark, Segments } from '../parts/controls.tsx';
import { Link } from '../parts/link.tsx';
import { PageHeader, pageClasses, Read, Section } from '../parts/page.tsx';
import { QueueTable } from './queue-table.tsx';

const spans = [
  ['hour', 'Last hour'],
  ['day', '24 hours'],
  ['week', '7 days'],
] as const;

type Sample = Json<Overview>;

/** Points of the live charts that are kept: ten minutes. */
const samplesMax = 300;
const queuesDrawn = 5;

/** What came in since the page was opened. */
function useSamples(latest: Sample | undefined): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (!latest) return;
    setSamples((known) => (known.at(-1)?.at === latest.at ? known : [...known, latest].slice(-samplesMax)));
  }, [latest]);
  return samples;
}

function endedChart(series: Json<Series>): ChartData {
  const step = series.span === 'week' ? dayTime : clockTime;
  const values = (name: 'completed' | 'failed' | 'cancelled' | 'retried') =>
    series.points.map((point) => point[name]);
  return {
    label: 'Jobs that ended',
    kind: 'bar',
    steps: series.points.map(({ at }) => step(at)),
    series: [
      { name: 'Completed', colour: 'green', values: values('completed') },
      { name: 'Retried', colour: 'amber', values: values('retried') },
      { name: 'Failed', colour: 'red', values: values('failed') },
      { name: 'Cancelled', colour: 'line-strong', values: values('cancelled') },
    ],
  };
}

const liveStates = [
  ['Enqueued', 'blue', 'solid'],
  ['Processing', 'green', 'dashed'],
  ['AwaitingRetry', 'amber', 'dotted'],
] as const;

const stateChart = (samples: readonly Sample[]): ChartData => ({
  label: 'Jobs by state, live',
  kind: 'line',
  steps: samples.map(({ at }) => clockTimeSeconds(at)),
  series: liveStates.map(([state, colour, line]) => ({
    name: stateWord[state],
    colour,
    line,
    values: samples.map(({ states }) => states.find((one) => one.state === state)?.count ?? null),
  })),
});

const queueLooks = [
  ['accent', 'solid'],
  ['blue', 'dashed'],
  ['green', 'dotted'],
  ['amber', 'solid'],
  ['red', 'dashed'],
] as const;

function queueChart(samples: readonly Sample[]): ChartData {
  const queues = [...(samples.at(-1)?.queues ?? [])]
    .sort((a, b) => b.waiting - a.waiting || (a.name < b.name ? -1 : 1))
    .slice(0, queuesDrawn);
  return {
    label: 'Waiting jobs by queue, live',
    kind: 'line',
    steps: samples.map(({ at }) => clockTimeSeconds(at)),
    series: queues.map(({ name }, at) => ({
      name,
      colour: queueLooks[at]?.[0] ?? 'accent',
      line: queueLooks[at]?.[1] ?? 'solid',
      values: samples.map(({ queues: all }) => all.find((queue) => queue.name === name)?.waiting ?? null),
    })),
  };
}

function Tiles({ overview }: { readonly overview: Sample }) {
  return (
    <div className={pageClasses['tiles']}>
      {overview.states.map(({ state, count, isEstimate }) => (
        <Link key={state} to="/jobs" query={{ state }} className={pageClasses['tile']}>
          <span className="row">
            <Mark tone={stateTone[state]} /> {stateWord[state]}
          </span>
          <strong>{countText(count, isEstimate)}</strong>
        </Link>
      ))}
      <Link to="/servers" className={pageClasses['tile']}>
        <span className="row">
          <Mark tone={overview.servers.count > 0 ? 'green' : 'amber'} /> Servers
        </span>
        <strong>{wholeNumber(overview.servers.count)}</strong>
      </Link>
    </div>
  );
}

/** The first page: how many jobs are where, what ended when, and the queues. */
export function OverviewPage() {
  const { query, setQuery } = useAddress();
  const span = spans.find(([value]) => value === query['span'])?.[0] ?? 'hour';
  const overview = useOverview();
  const series = useSeries(span);
  const samples = useSamples(overview.data);
  const byState = useMemo(() => stateChart(samples), [samples]);
  const byQueue = useMemo(() => queueChart(samples), [samples]);
  const ended = useMemo(() => series.data && endedChart(series.data), [series.data]);
  return (
    <>
      <PageHeader title="Overview" />
      <Read of={overview}>
        {(data) => (
          <div className="stack">
            <Tiles overview={data} />
            <Section
              title="Ended jobs"
              actions={
                <Segments
                  label="Span of the chart"
                  value={span}
                  options={spans}
                  onChange={(value) => setQuery({ span: value }, { replace: true })}
                />
              }
            >
              <Read of={series}>{() => ended && <Chart data={ended} />}</Read>
            </Section>
            <div className={pageClasses['two']}>
              <Section title="By state, live">
                <Chart data={byState} />
              </Section>
              <Section title="Waiting by queue, live">
                <Chart data={byQueue} />
              </Section>
            </div>
            <Section title="Queues" isFlush>
              <QueueTable queues={data.queues} />
            </Section>
          </div>
        )}
      </Read>
    </>
  );
}
