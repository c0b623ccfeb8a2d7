import { useState } from 'react';
import { hrefOf, useGo } from '../../lib/address.ts';
import type { Job } from '../../lib/requests.ts';
import { Button } from '../../parts/controls.tsx';
import { Dialog, DialogFoot } from '../../parts/dialog.tsx';
import { act } from '../../parts/notices.tsx';

/** Possible actions on a job. Deletion needs a confirmation. */
export function JobActions({ job }: { readonly job: Job }) {
  const [isDeleting, setDeleting] = useState(false);
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
        <Button kind="danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      {isDeleting && <DeleteDialog job={job} onClose={() => setDeleting(false)} />}
    </>
  );
}

type DeleteProps = { readonly job: Job; readonly onClose: () => void };

function DeleteDialog({ job, onClose }: DeleteProps) {
  const go = useGo();
  return (
    <Dialog title="Delete the job?" onClose={onClose}>
      <p>It is gone for good, with its history and output.</p>
      <DialogFoot>
        <Button onClick={onClose}>Leave it</Button>
        <Button
          kind="danger"
          onClick={() =>
            void act(`/jobs/${job.id}/delete`, 'The job was deleted.').then((isDone) => {
              if (isDone) go(hrefOf('/jobs', { state: job.state }), { replace: true });
            })
          }
        >
          Delete the job
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
