import { clockTimeSeconds } from '../../lib/format.ts';
import { type Job, useJob } from '../../lib/requests.ts';
import { Progress, State } from '../../parts/controls.tsx';
import { Code, Empty, jsonText, PageHeader, pageClasses, Read, Section } from '../../parts/page.tsx';
import { JobActions } from './job-actions.tsx';
import { JobAttempts, JobHistory } from './job-attempts.tsx';
import { JobFacts, JobOrigin } from './job-facts.tsx';
import { RelatedJobs } from './related-jobs.tsx';

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
        actions={job.data && <JobActions job={job.data} />}
      />
      <Read of={job}>
        {(data) => (
          <div className={pageClasses['columns']}>
            <JobCourse job={data} />
            <div className="stack">
              <JobFacts job={data} />
              {data.origin && <JobOrigin origin={data.origin} />}
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

/** Course of a job, from its progress to its history. */
function JobCourse({ job }: { readonly job: Job }) {
  return (
    <div className="stack">
      {job.progress !== null && (
        <Section title="Progress">
          <Progress share={job.progress} label="Progress" />
          <p>
            {Math.round(job.progress * 100)} %{job.progressText ? `, ${job.progressText}` : ''}
          </p>
        </Section>
      )}
      {job.error !== null && (
        <Section title="Error" isFlush>
          <Code label="Text of the error" text={job.error} />
        </Section>
      )}
      <JobAttempts attempts={job.attempts} />
      <Section title="Payload" isFlush>
        <Code label="Payload as JSON" text={jsonText(job.payload)} />
      </Section>
      {job.kind === 'Job' && <Output job={job} />}
      <RelatedJobs job={job} />
      <JobHistory history={job.history} />
    </div>
  );
}

/** Lines that the handler of a job wrote. */
function Output({ job }: { readonly job: Job }) {
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
