import { useState } from 'react';
import type { JobDetail } from '../../../src/api/jobs.ts';
import { hrefOf, useGo } from '../lib/address.ts';
import { clockTimeSeconds, duration, exactTime } from '../lib/format.ts';
import type { Json } from '../lib/json.ts';
import { useJob } from '../lib/requests.ts';
import { states, stateTone, stateWord, type Tone } from '../lib/states.ts';
import { Button, Progress, State, Status, Tag } from '../parts/controls.tsx';
import { Dialog, DialogFoot } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { act } from '../parts/notices.tsx';
import { Code, Empty, Facts, jsonText, PageHeader, pageClasses, Read, Section } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { type Item, JobTable } from './job-columns.tsx';

type Job = Json<JobDetail>;
type Attempt = Job['attempts'][number];
type Entry = Job['history'][number];

const outcomeTone = (outcome: string | null): Tone => {
  const state = states.find((one) => one === outcome);
  if (state) return stateTone[state];
  return outcome === null ? 'blue' : 'amber';
};
const outcomeWord = (outcome: string): string => {
  const state = states.find((one) => one === outcome);
  return state ? stateWord[state] : outcome.replace('CancelRequested', 'Cancel requested');
};

const attemptColumns: readonly Column<Attempt>[] = [
  { key: 'attempt', title: 'Attempt', width: 'narrow', cell: ({ attempt }) => String(attempt) },
  {
    key: 'outcome',
    title: 'Outcome',
    width: 'middle',
    cell: ({ outcome }) => (
      <Status tone={outcomeTone(outcome)}>{outcome === null ? 'Runs' : outcomeWord(outcome)}</Status>
    ),
  },
  {
    key: 'started',
    title: 'Started',
    width: 'middle',
    from: 480,
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  {
    key: 'took',
    title: 'Duration',
    align: 'right',
    width: 'narrow',
    cell: ({ startedAt, finishedAt }) =>
      finishedAt === null ? '—' : duration(new Date(finishedAt).getTime() - new Date(startedAt).getTime()),
  },
  {
    key: 'error',
    title: 'Error',
    from: 640,
    cell: ({ error }) => (
      <span className="truncate" title={error ?? ''}>
        {error?.split('\n')[0] ?? '—'}
      </span>
    ),
  },
];

const historyColumns: readonly Column<Entry>[] = [
  {
    key: 'event',
    title: 'What happened',
    width: 'wide',
    cell: ({ event }) => <Status tone={outcomeTone(event)}>{outcomeWord(event)}</Status>,
  },
  { key: 'at', title: 'When', width: 'middle', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'message',
    title: 'Note',
    from: 480,
    cell: ({ message, error }) => message ?? error?.split('\n')[0] ?? '',
  },
];

function Relation({ to }: { readonly to: Item }) {
  return (
    <span className="row wrap">
      <Link to={`/jobs/${to.id}`}>{to.name}</Link>
      <State state={to.state} />
    </span>
  );
}

function Origin({ origin }: { readonly origin: NonNullable<Job['origin']> }) {
  return (
    <Section title="Origin">
      <Facts
        facts={[
          ['Request', <code key="r">{`${origin.method} ${origin.routeTemplate}`}</code>],
          ['User', origin.userName],
          ['When', <Time key="t" at={origin.at} />],
          [
            'Call',
            origin.id === null ? null : (
              <Link
                key="c"
                to={`/endpoints/${origin.endpointId}`}
                query={{ call: origin.id, application: origin.application ?? undefined }}
              >
                Open the call
              </Link>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function Lines({ job }: { readonly job: Job }) {
  const text = job.lines
    .map(({ at, level, message }) => `${clockTimeSeconds(at)}  ${(level ?? '').padEnd(5)}  ${message ?? ''}`)
    .join('\n');
  return (
    <Section title="Output" isFlush>
      {job.lines.length === 0 ? (
        <Empty title="The handler wrote nothing." />
      ) : (
        <Code label="Lines of the output" text={job.hasMoreLines ? `${text}\n… there is more` : text} />
      )}
    </Section>
  );
}

function Children({
  title,
  part,
  query,
}: {
  title: string;
  part: Job['spawned'];
  query: Record<string, string>;
}) {
  if (part.items.length === 0) return null;
  return (
    <Section
      title={title}
      isFlush
      actions={
        part.hasMore ? (
          <Link to="/jobs" query={query}>
            All of them
          </Link>
        ) : null
      }
    >
      <JobTable label={title} jobs={part.items} />
    </Section>
  );
}

function JobFacts({ job }: { readonly job: Job }) {
  return (
    <Section title="Facts">
      <Facts
        facts={[
          ['Id', <code key="i">{job.id}</code>],
          ['Kind', job.kind],
          job.queue === ''
            ? null
            : [
                'Queue',
                <Link key="q" to="/jobs" query={{ state: 'Enqueued', queue: job.queue }}>
                  {job.queue}
                </Link>,
              ],
          ['Priority', String(job.priority)],
          job.kind === 'Job' ? ['Attempt', `${job.attempt} of ${job.attemptsMax}`] : null,
          ['Created', <Time key="c" at={job.createdAt} />],
          ['Due', <Time key="d" at={job.dueAt} />],
          job.startedAt === null ? null : ['Started', <Time key="s" at={job.startedAt} />],
          job.finishedAt === null ? null : ['Ended', <Time key="f" at={job.finishedAt} />],
          job.expireAt === null ? null : ['Kept until', exactTime(job.expireAt)],
          job.serverName === null ? null : ['Runs on', job.serverName],
          job.concurrencyKey === null ? null : ['Concurrency key', <code key="k">{job.concurrencyKey}</code>],
          job.dedupeKey === null ? null : ['Dedupe key', <code key="k">{job.dedupeKey}</code>],
          job.scheduleKey === null
            ? null
            : [
                'Schedule',
                <Link key="r" to={`/recurring/${job.scheduleId}`}>
                  {job.scheduleKey}
                </Link>,
              ],
          job.parent ? ['After', <Relation key="p" to={job.parent} />] : null,
          job.batch ? ['Member of', <Relation key="b" to={job.batch} />] : null,
          job.spawner ? ['Spawned by', <Relation key="w" to={job.spawner} />] : null,
          [
            'Trace',
            <Link key="t" to={`/traces/${job.traceId}`} query={{ job: job.id }}>
              Show the timeline
            </Link>,
          ],
        ]}
      />
      {job.tags.length > 0 && (
        <p className="row wrap">
          {job.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      )}
    </Section>
  );
}

function Acts({ job }: { readonly job: Job }) {
  const go = useGo();
  const [isAsked, ask] = useState(false);
  const path = `/jobs/${job.id}`;
  return (
    <>
      {job.canRequeue && (
        <Button
          kind={job.state === 'Failed' || job.state === 'Cancelled' ? 'primary' : 'default'}
          onClick={() => void act(`${path}/requeue`, 'The job was requeued.')}
        >
          Requeue
        </Button>
      )}
      {job.canCancel && (
        <Button
          kind="danger"
          onClick={() => void act(`${path}/cancel`, 'The job was cancelled, or asked to stop.')}
        >
          Cancel
        </Button>
      )}
      {job.canDelete && (
        <Button kind="danger" onClick={() => ask(true)}>
          Delete
        </Button>
      )}
      {isAsked && (
        <Dialog title="Delete the job?" onClose={() => ask(false)}>
          <p>It is gone for good, with its history and output.</p>
          <DialogFoot>
            <Button onClick={() => ask(false)}>Leave it</Button>
            <Button
              kind="danger"
              onClick={() =>
                void act(`${path}/delete`, 'The job was deleted.').then((isDone) => {
                  if (isDone) go(hrefOf('/jobs', { state: job.state }), { replace: true });
                })
              }
            >
              Delete the job
            </Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  );
}

function Members({ job }: { readonly job: Job }) {
  if (job.memberCounts === null) return null;
  return (
    <Section title="Members">
      <p className="row wrap">
        {states.map((state) => {
          const count = job.memberCounts?.[state];
          return count === undefined ? null : (
            <Link key={state} to="/jobs" query={{ batchId: job.id, state }}>
              {stateWord[state]}: {count}
            </Link>
          );
        })}
      </p>
    </Section>
  );
}

/** Page of a job. */
export function JobPage({ id }: { readonly id: string }) {
  const job = useJob(id);
  return (
    <>
      <PageHeader
        title={job.data?.name ?? 'Job'}
        parent={{ to: '/jobs', name: 'Jobs' }}
        beside={
          job.data && <State state={job.data.state} isCancelling={job.data.cancelRequestedAt !== null} />
        }
        actions={job.data && <Acts job={job.data} />}
      />
      <Read of={job}>
        {(data) => (
          <div className={pageClasses['columns']}>
            <div className="stack">
              {data.progress !== null && (
                <Section title="Progress">
                  <Progress share={data.progress} label="Progress" />
                  <p>
                    {Math.round(data.progress * 100)} %{data.progressText ? `, ${data.progressText}` : ''}
                  </p>
                </Section>
              )}
              {data.error !== null && (
                <Section title="Error" isFlush>
                  <Code label="Text of the error" text={data.error} />
                </Section>
              )}
              {data.attempts.length > 0 && (
                <Section title="Attempts" isFlush>
                  <Table
                    label="Attempts"
                    isBare
                    columns={attemptColumns}
                    rows={data.attempts}
                    keyOf={({ attempt, startedAt }) => `${attempt} ${startedAt}`}
                  />
                </Section>
              )}
              <Section title="Payload" isFlush>
                <Code label="Payload as JSON" text={jsonText(data.payload)} />
              </Section>
              {data.kind === 'Job' && <Lines job={data} />}
              <Members job={data} />
              <Children title="Members of it" part={data.members} query={{ batchId: data.id }} />
              <Children title="Spawned jobs" part={data.spawned} query={{ spawnedBy: data.id }} />
              <Children title="Continuations" part={data.continuations} query={{ parentId: data.id }} />
              {data.history.length > 0 && (
                <Section title="History" isFlush>
                  <Table
                    label="History"
                    isBare
                    columns={historyColumns}
                    rows={data.history}
                    keyOf={({ at, event, attempt }) => `${at} ${event} ${attempt}`}
                  />
                </Section>
              )}
            </div>
            <div className="stack">
              <JobFacts job={data} />
              {data.origin && <Origin origin={data.origin} />}
              {data.metadata !== null && (
                <Section title="Metadata" isFlush>
                  <Code label="Metadata as JSON" text={jsonText(data.metadata)} />
                </Section>
              )}
            </div>
          </div>
        )}
      </Read>
    </>
  );
}
