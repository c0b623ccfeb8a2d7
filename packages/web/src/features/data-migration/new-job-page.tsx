import { Button } from '@mantine/core';
import { createMigrationJob } from '@svc/contract';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { JobFields } from './form/job-fields.tsx';
import { useJobForm } from './form/job-form.ts';

/** Page that creates a job. Saving copies no rows: the next page shows the effect first. */
export function NewJobPage() {
  const go = useGo();
  const create = useChange(createMigrationJob, { touches: ['home'] });
  const form = useJobForm(undefined, async (body) => {
    const job = await create.mutateAsync({ body });
    toastDone(`The job “${job.name}” was saved. Nothing is copied yet.`);
    go(paths.migrationJob(job.id, { tab: 'preview' }), { isSaved: true });
  });
  return (
    <FlowPage
      title="New migration job"
      parent={{ to: paths.migrationJobs(), label: 'Data migration' }}
      intro="Copies a table, or what a query answers, into a table of another data source. Nothing shows there before all of it is written. Saving copies nothing: what would happen is shown first. You may choose any data source, also of projects that you do not read; each choice is in the audit."
    >
      <UnsavedGuard isDirty={form.isDirty} />
      <form className="stack" onSubmit={form.submit} noValidate>
        <ProblemNote error={form.refusal} />
        <JobFields form={form} />
        <div>
          <Button type="submit" variant="filled" loading={form.isSending}>
            Save and preview
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}
