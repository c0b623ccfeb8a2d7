import { Button } from '@mantine/core';
import { learnNow } from '@svc/contract';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';

/** Starts learning from the usage of a project. */
export function LearnNow({ projectId }: { readonly projectId: number }) {
  const start = useChange(learnNow);
  return (
    <Button
      loading={start.isPending}
      onClick={() =>
        void start
          .mutateAsync({ body: { projectId } })
          .then(() => toastDone('Learning started. New patterns appear here.'), toastProblem)
      }
    >
      Learn now
    </Button>
  );
}
