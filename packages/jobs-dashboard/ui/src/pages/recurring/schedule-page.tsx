import type { ScheduleDetail } from '../../../../src/api/schedules.ts';
import { duration, exactTime } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useSchedule, useSession } from '../../lib/requests.ts';
import { State, Status } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { Code, Empty, Facts, jsonText, PageHeader, pageClasses, Read, Section } from '../../parts/page.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { ScheduleActs } from './recurring-page.tsx';

type Schedule = Json<ScheduleDetail>;
type Tick = Schedule['ticks'][number];

const tickColumns: readonly Column<Tick>[] = [
  { key: 'due', title: 'Due', width: 'middle', cell: ({ dueAt }) => <Time at={dueAt} /> },
  {
    key: 'state',
    title: 'What became of it',
    cell: ({ jobId, state }) =>
      jobId === null ? (
        <Status tone="neutral">Skipped: the one before still ran</Status>
      ) : state === null ? (
        <span className="soft">Removed when its time was up</span>
      ) : (
        <span className="row">
          <State state={state} />
          <Link to={`/jobs/${jobId}`} className={rowLinkClass} data-row-link>
            Open the job
          </Link>
        </span>
      ),
  },
  {
    key: 'took',
    title: 'Duration',
    align: 'right',
    width: 'narrow',
    cell: ({ durationMs }) => (durationMs === null ? '—' : duration(durationMs)),
  },
  {
    key: 'missed',
    title: 'Missed before',
    align: 'right',
    width: 'middle',
    from: 480,
    cell: ({ missedCount }) => String(missedCount),
  },
];

/** Page of a recurring job: next due times, and results of its runs. */
export function SchedulePage({ id }: { readonly id: string }) {
  const schedule = useSchedule(id);
  const mayAct = useSession().data?.mayAct === true;
  const { data } = schedule;
  return (
    <>
      <PageHeader
        title={data?.title ?? data?.key ?? 'Schedule'}
        parent={{ to: '/recurring', name: 'Recurring jobs' }}
        beside={
          data && (
            <Status tone={data.isEnabled ? 'green' : 'amber'}>{data.isEnabled ? 'Active' : 'Paused'}</Status>
          )
        }
        actions={
          data && mayAct && <ScheduleActs id={id} name={data.key} isEnabled={data.isEnabled} size="normal" />
        }
      />
      <Read of={schedule}>{(detail) => <ScheduleView schedule={detail} />}</Read>
    </>
  );
}

type Props = { readonly schedule: Schedule };

function ScheduleView({ schedule }: Props) {
  return (
    <div className={pageClasses['columns']}>
      <div className="stack">
        <LastDueTimes schedule={schedule} />
        <Section title="Payload" isFlush>
          <Code label="Payload as JSON" text={jsonText(schedule.payload)} />
        </Section>
      </div>
      <div className="stack">
        <Section title="When">
          <p>{schedule.description ?? 'This version does not understand the expression.'}</p>
          <Facts
            facts={[
              ['Expression', <code key="c">{schedule.cron}</code>],
              ['Time zone', schedule.timeZone],
            ]}
          />
        </Section>
        <NextTimes schedule={schedule} />
        <ScheduleFacts schedule={schedule} />
      </div>
    </div>
  );
}

function LastDueTimes({ schedule }: Props) {
  return (
    <Section title="Last due times" isFlush>
      {schedule.ticks.length === 0 ? (
        <Empty title="It has not come due yet." />
      ) : (
        <Table
          label="Last due times"
          isBare
          columns={tickColumns}
          rows={schedule.ticks}
          keyOf={({ dueAt }) => dueAt}
        />
      )}
    </Section>
  );
}

function NextTimes({ schedule }: Props) {
  return (
    <Section title="Next times">
      {schedule.nextTimes.length === 0 ? (
        <p className="soft">None: it is paused.</p>
      ) : (
        <ol>
          {schedule.nextTimes.map((at) => (
            <li key={at} className="row wrap">
              <span>{exactTime(at)}</span>
              <span className="soft">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function ScheduleFacts({ schedule }: Props) {
  return (
    <Section title="Facts">
      <Facts
        facts={[
          [
            'Job',
            <Link key="j" to="/jobs" query={{ schedule: schedule.key }}>
              {schedule.jobName}
            </Link>,
          ],
          schedule.title === null ? null : ['Key', <code key="k">{schedule.key}</code>],
          ['Queue', schedule.queue],
          ['Priority', String(schedule.priority)],
          ['Attempts', String(schedule.attemptsMax)],
          ['Overlap', schedule.skipsOverlap ? 'Skipped while one runs' : 'Allowed'],
          ['Changed', <Time key="u" at={schedule.updatedAt} />],
        ]}
      />
    </Section>
  );
}
