import { Button } from '@mantine/core';
import { type MigrationJob, updateMigrationJob } from '@svc/contract';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { JobFields } from './form/job-fields.tsx';
import { useJobForm } from './form/job-form.ts';

/** Form that changes a job. A running copy continues with the previous definition. */
export function EditJob({ job }: { readonly job: MigrationJob }) {
  const update = useChange(updateMigrationJob, { headers: () => ifUnchanged(form.version) });
  const form = useJobForm(job, async (body) => {
    await update.mutateAsync({ params: { id: job.id }, body });
    toastDone('The job was changed.');
  });
  return (
    <form className="stack" style={{ maxWidth: 640 }} onSubmit={form.submit} noValidate>
      <UnsavedGuard isDirty={form.isDirty} />
      <ProblemNote error={form.refusal} />
      <JobFields form={form} />
      <div>
        <Button type="submit" variant="filled" loading={form.isSending} disabled={!form.isDirty}>
          Save
        </Button>
      </div>
    </form>
  );
}
