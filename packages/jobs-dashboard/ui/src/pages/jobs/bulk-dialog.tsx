import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiError, post } from '../../lib/api.ts';
import { wholeNumber } from '../../lib/format.ts';
import { refreshAll } from '../../lib/requests.ts';
import { Button } from '../../parts/controls.tsx';
import { Dialog, DialogFoot } from '../../parts/dialog.tsx';
import { ProblemView } from '../../parts/page.tsx';

/** Bulk action on jobs. */
export type BulkAct = 'requeue' | 'cancel' | 'delete';

/** Jobs of a bulk action: the ids, or all matches of a filter. */
export type BulkTarget =
  | { readonly ids: readonly string[] }
  | { readonly filter: Readonly<Record<string, string | undefined>> };

const texts: Readonly<
  Record<BulkAct, { readonly act: string; readonly done: string; readonly what: string }>
> = {
  requeue: {
    act: 'Requeue',
    done: 'requeued',
    what: 'They become ready at once, with all their attempts before them.',
  },
  cancel: { act: 'Cancel', done: 'cancelled', what: 'What waits ends at once; what runs is asked to stop.' },
  delete: { act: 'Delete', done: 'deleted', what: 'They are gone for good, with their history and output.' },
};

type Counted = { readonly count: number; readonly isMore: boolean };
type Done = { readonly changed: number; readonly unchanged: number; readonly isMore: boolean };

const jobsText = (count: number): string => `${wholeNumber(count)} ${count === 1 ? 'job' : 'jobs'}`;

type Props = {
  readonly action: BulkAct;
  readonly target: BulkTarget;
  readonly onClose: (isDone: boolean) => void;
};

function wordsOf(
  action: BulkAct,
  counted: { readonly data: Counted | undefined; readonly isError: boolean },
  done: Done | undefined,
): string {
  const text = texts[action];
  if (done) {
    const unchanged =
      done.unchanged > 0 ? ` ${jobsText(done.unchanged)} had changed meanwhile and were left alone.` : '';
    const more = done.isMore ? ' There are more: do it again for the next ones.' : '';
    return `${jobsText(done.changed)} ${text.done}.${unchanged}${more}`;
  }
  if (!counted.data) return counted.isError ? 'They could not be counted.' : 'Counting …';
  const { count, isMore } = counted.data;
  return `${text.act} ${jobsText(count)}${isMore ? ', the first of more' : ''}? ${text.what}`;
}

/** Confirmation dialog of a bulk action. It counts the jobs first and then performs the confirmed action. */
export function BulkDialog({ action, target, onClose }: Props) {
  const text = texts[action];
  const counted = useQuery({
    queryKey: ['bulk-count', action, target],
    queryFn: () => post<Counted>('/jobs/bulk/count', { action, ...target }),
    gcTime: 0,
  });
  const run = useMutation({
    mutationFn: (confirmedCount: number) =>
      post<Done>('/jobs/bulk/run', { action, ...target, confirmedCount }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'count-changed') void counted.refetch();
    },
    onSettled: () => refreshAll(),
  });
  const count = counted.data?.count;
  return (
    <Dialog title={`${text.act} jobs`} onClose={() => onClose(run.isSuccess)}>
      <div aria-live="polite">
        <p>{wordsOf(action, counted, run.data)}</p>
      </div>
      {(run.error ?? counted.error) && <ProblemView error={run.error ?? counted.error} />}
      <DialogFoot>
        {run.isSuccess ? (
          <Button kind="primary" onClick={() => onClose(true)}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={() => onClose(false)}>Leave them</Button>
            <Button
              kind={action === 'requeue' ? 'primary' : 'danger'}
              disabled={count === undefined || count === 0 || run.isPending}
              onClick={() => count !== undefined && run.mutate(count)}
            >
              {run.isPending ? 'Working …' : `${text.act} ${count === undefined ? '' : jobsText(count)}`}
            </Button>
          </>
        )}
      </DialogFoot>
    </Dialog>
  );
}
