import { exactTime } from '../../lib/format.ts';
import type { Job } from '../../lib/requests.ts';
import { State, Tag } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import type { Item } from './job-columns.tsx';

/** Facts of a job: its settings, its times, its related jobs and its tags. */
export function JobFacts({ job }: { readonly job: Job }) {
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

/** HTTP request that created a job. */
export function JobOrigin({ origin }: { readonly origin: NonNullable<Job['origin']> }) {
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

function Relation({ to }: { readonly to: Item }) {
  return (
    <span className="row wrap">
      <Link to={`/jobs/${to.id}`}>{to.name}</Link>
      <State state={to.state} />
    </span>
  );
}
