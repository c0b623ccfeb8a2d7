import { useMemo } from 'react';
import { useAddress } from '../../lib/address.ts';
import { duration, exactTime } from '../../lib/format.ts';
import { useTrace } from '../../lib/requests.ts';
import { type Timeline, type TimelineRow, timelineOf } from '../../lib/timeline.ts';
import { Mark, Tag } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { PageHeader, Read, Section } from '../../parts/page.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { useNow } from '../../parts/time.tsx';
import classes from './trace.module.css';

const indentPx = 14;
const depthMax = 8;
const ticks = [0, 0.25, 0.5, 0.75, 1];

function Row({ row, line, isHere }: { row: TimelineRow; line: Timeline; isHere: boolean }) {
  const span = line.untilMs - line.fromMs;
  const share = (ms: number): string => `${((ms - line.fromMs) / span) * 100}%`;
  const ran = row.stretches.filter(({ isWaiting }) => !isWaiting);
  const ranMs = ran.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  const description = row.stretches
    .map(({ words: what, fromMs, untilMs }) => `${what} ${duration(untilMs - fromMs)}`)
    .join(', ');
  return (
    <li className={classes['line']} data-here={isHere}>
      <span className={classes['name']} style={{ paddingLeft: Math.min(row.depth, depthMax) * indentPx }}>
        <Mark tone={row.tone} />
        <Link to={row.to} query={row.query} data-row-link>
          {row.name}
        </Link>
        {row.kind === 'call' && <Tag>HTTP</Tag>}
        <span className="visually-hidden">
          , {row.state}, {description}
        </span>
      </span>
      <span className={classes['track']} aria-hidden="true">
        {row.stretches.map(({ fromMs, untilMs, tone, isWaiting, words: what }) => (
          <span
            key={`${fromMs} ${what}`}
            className={classes['bar']}
            data-tone={tone}
            data-waiting={isWaiting}
            title={`${what}: ${duration(untilMs - fromMs)}`}
            style={{
              left: share(fromMs),
              right: `${100 - Number.parseFloat(share(Math.min(untilMs, line.untilMs)))}%`,
            }}
          />
        ))}
      </span>
      <span className={`mono ${classes['took']}`}>{ran.length === 0 ? '—' : duration(ranMs)}</span>
    </li>
  );
}

/** Page of a trace: requests and jobs on one time axis. */
export function TracePage({ id }: { readonly id: string }) {
  const { query } = useAddress();
  const trace = useTrace(id);
  const nowMs = useNow();
  const line = useMemo(() => trace.data && timelineOf(trace.data, nowMs), [trace.data, nowMs]);
  return (
    <>
      <PageHeader
        title="Trace"
        parent={{ to: '/jobs', name: 'Jobs' }}
        beside={<code className="soft">{id}</code>}
      />
      <Read of={trace}>
        {(data) =>
          line && (
            <div className="stack">
              <p className="soft">
                {exactTime(new Date(line.fromMs).toISOString())}, {duration(line.untilMs - line.fromMs)} in
                all.
                {data.isTruncated && ' The first 1,000 jobs are shown.'}
              </p>
              <Section title="Timeline" isFlush>
                <Scroll className={classes['timeline']} label="Rows of the timeline">
                  <div className={classes['grid']}>
                    <div className={classes['axis']} aria-hidden="true">
                      <span>Request or job</span>
                      <span className={`mono ${classes['ticks']}`}>
                        {ticks.map((tick) => (
                          <span key={tick}>{duration(tick * (line.untilMs - line.fromMs))}</span>
                        ))}
                      </span>
                      <span className={classes['took']}>Ran</span>
                    </div>
                    <ol>
                      {line.rows.map((row) => (
                        <Row key={row.id} row={row} line={line} isHere={row.id === query['job']} />
                      ))}
                    </ol>
                  </div>
                </Scroll>
              </Section>
              <p className="soft">
                A thin line is waiting, a bar is an attempt; each attempt has the colour of its end.
              </p>
            </div>
          )
        }
      </Read>
    </>
  );
}
