import type { Job } from '../../lib/requests.ts';
import { states, stateWord } from '../../lib/states.ts';
import { Link } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { JobTable } from './job-columns.tsx';

/** Jobs that a job created, and the members of a batch. */
export function RelatedJobs({ job }: { readonly job: Job }) {
  return (
    <>
      <MemberCounts job={job} />
      <RelatedTable title="Members of it" jobs={job.members} query={{ batchId: job.id }} />
      <RelatedTable title="Spawned jobs" jobs={job.spawned} query={{ spawnedBy: job.id }} />
      <RelatedTable title="Continuations" jobs={job.continuations} query={{ parentId: job.id }} />
    </>
  );
}

function MemberCounts({ job }: { readonly job: Job }) {
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

type TableProps = {
  readonly title: string;
  readonly jobs: Job['spawned'];
  /** Filter of the list with all of the jobs. */
  readonly query: Record<string, string>;
};

function RelatedTable({ title, jobs, query }: TableProps) {
  if (jobs.items.length === 0) return null;
  return (
    <Section
      title={title}
      isFlush
      actions={
        jobs.hasMore ? (
          <Link to="/jobs" query={query}>
            All of them
          </Link>
        ) : null
      }
    >
      <JobTable label={title} jobs={jobs.items} />
    </Section>
  );
}
