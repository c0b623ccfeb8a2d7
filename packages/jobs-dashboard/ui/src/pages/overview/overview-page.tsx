import { useMemo } from 'react';
import type { Overview } from '../../../../src/api/overview.ts';
import { useAddress } from '../../lib/address.ts';
import { countText, wholeNumber } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useByName, useOverview, useSampleList, useSeries } from '../../lib/requests.ts';
import { stateTone, stateWord } from '../../lib/states.ts';
import { Chart } from '../../parts/chart.tsx';
import type { ChartData } from '../../parts/chart-data.ts';
import { Mark, Segments } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { PageHeader, pageClasses, Read, Section } from '../../parts/page.tsx';
import {
  durationChart,
  endedChart,
  lastHour,
  nameChart,
  nameDurationChart,
  queueChart,
  stateChart,
} from './overview-charts.ts';
import { QueueTable } from './queue-table.tsx';

const spans = [
  ['hour', 'Last hour'],
  ['day', '24 hours'],
  ['week', '7 days'],
] as const;

function Tiles({ overview }: { readonly overview: Json<Overview> }) {
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

/** Chart by job name. It has no data until a job has ended. */
const NameChart = ({ data }: { readonly data: ChartData }) =>
  data.steps.length === 0 ? <p className="soft">Nothing has ended in this time.</p> : <Chart data={data} />;

const spanWords = { hour: 'last hour', day: 'last 24 hours', week: 'last 7 days' } as const;

/** Overview page: job counts, ended jobs over time, and the queues. */
export function OverviewPage() {
  const { query, setQuery } = useAddress();
  const span = spans.find(([value]) => value === query['span'])?.[0] ?? 'hour';
  const overview = useOverview();
  const series = useSeries(span);
  const sampleList = useSampleList();
  const byName = useByName(span);
  const steps = useMemo(
    () => (overview.data ? lastHour(sampleList.data, overview.data) : []),
    [sampleList.data, overview.data],
  );
  const byState = useMemo(() => stateChart(steps), [steps]);
  const byQueue = useMemo(() => queueChart(steps), [steps]);
  const ended = useMemo(() => series.data && endedChart(series.data), [series.data]);
  const durations = useMemo(() => series.data && durationChart(series.data), [series.data]);
  const names = useMemo(() => byName.data && nameChart(byName.data), [byName.data]);
  const nameDurations = useMemo(() => byName.data && nameDurationChart(byName.data), [byName.data]);
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
              <Section title="By state, last hour">
                <Chart data={byState} />
              </Section>
              <Section title="Waiting by queue, last hour">
                <Chart data={byQueue} />
              </Section>
              <Section title={`Duration, ${spanWords[span]}`}>
                <Read of={series}>{() => durations && <Chart data={durations} />}</Read>
              </Section>
              <Section title={`Ended by job, ${spanWords[span]}`}>
                <Read of={byName}>{() => names && <NameChart data={names} />}</Read>
              </Section>
              <Section title={`Duration by job, ${spanWords[span]}`}>
                <Read of={byName}>{() => nameDurations && <NameChart data={nameDurations} />}</Read>
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
