import type { HomeUptime } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, plural, scoreText, shortTime } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Status, type Tone } from '../../ui/record/status.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import ribbon from '../../views/runs/ribbon.module.css';
import classes from './home-page.module.css';
import { homeUptime } from './requests/home.ts';
import { SpanChoice, useSpan } from './span-choice.tsx';

const everyMs = 60_000;
const spans = {
  name: 'hours',
  label: 'Hours',
  options: [
    ['24', '24 hours'],
    ['168', '7 days'],
  ],
  standard: '24',
} as const;
const meaning =
  'Of the scheduled runs that ended or were missed: the share that neither failed, ran out of time nor was missed. Skipped runs do not count.';

type Hour = HomeUptime['hours'][number];

const toneOfHour = ({ runs, failed, isMissed }: Hour): Tone =>
  failed > 0 || isMissed ? 'red' : runs > 0 ? 'green' : 'neutral';

function wordsOfHour({ runs, failed, missed }: Hour): string {
  if (runs === 0 && missed === 0) return 'no scheduled run';
  const ended = runs === 0 ? 'no run ended' : `${plural(runs, 'run')}, ${count(failed)} failed`;
  return missed === 0 ? ended : `${ended}, ${plural(missed, 'due run')} did not start`;
}

/** Hourly state of scheduled runs: executed or missed. */
export function Uptime({ isEnabled }: { readonly isEnabled: boolean }) {
  const hours = useSpan(spans);
  const uptime = useQuery({
    ...homeUptime({ hours: Number(hours) }),
    enabled: isEnabled,
    refetchInterval: usePollMs(everyMs),
    placeholderData: (previous) => previous,
  });
  return (
    <section className="stack-tight" aria-labelledby="uptime">
      <div className="row wrap">
        <h2 id="uptime">Runs on time</h2>
        <span className="grow" />
        <SpanChoice {...spans} />
      </div>
      {uptime.isLoadingError ? (
        <ProblemView error={uptime.error} onRetry={() => void uptime.refetch()} />
      ) : (
        <Hours uptime={uptime.data} />
      )}
    </section>
  );
}

function Hours({ uptime }: { readonly uptime: HomeUptime | undefined }) {
  const hours = uptime?.hours ?? [];
  const tones = hours.map(toneOfHour);
  const of = (tone: Tone) => plural(tones.filter((each) => each === tone).length, 'hour');
  const share = uptime?.uptime ?? null;
  return (
    <div className={classes['chart']}>
      <span className={classes['value']}>{share === null ? '–' : `${scoreText(share * 100)}%`}</span>
      <span className={classes['label']}>
        {uptime && share === null ? 'No scheduled run ended in this time.' : meaning}
      </span>
      <div
        className={ribbon['ribbon']}
        role="img"
        aria-label={`Hour by hour: ${of('green')} went well, ${of('red')} with a failed or missed run, ${of('neutral')} without a scheduled run.`}
        data-dense={hours.length > 48}
      >
        {hours.map((hour, index) => (
          <Hint key={hour.from} label={`${shortTime(hour.from)}: ${wordsOfHour(hour)}`}>
            <span data-tone={tones[index]} />
          </Hint>
        ))}
      </div>
      <div className={`${classes['label']} row wrap`}>
        <Status tone="green">No failure</Status>
        <Status tone="red">Failed or missed</Status>
        <Status tone="neutral">Nothing scheduled</Status>
      </div>
    </div>
  );
}
