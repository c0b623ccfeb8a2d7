import { Button, type ButtonProps } from '@mantine/core';
import { pauseSubscription, resumeSubscription, type Subscription } from '@svc/contract';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';

type Props = ButtonProps & {
  readonly record: Subscription;
  /** In a row of a list, where several stand below each other. */
  readonly isNamed?: boolean;
};

/** Stops the schedule of an active subscription, or has it fire again. */
export function PauseButton({ record, isNamed = false, ...look }: Props) {
  const touches = ['queries', 'home'] as const;
  const pause = useChange(pauseSubscription, { touches });
  const resume = useChange(resumeSubscription, { touches });
  const isPaused = record.pausedSince !== null;
  const act = isPaused ? 'Resume' : 'Pause';
  const send = () =>
    (isPaused ? resume : pause)
      .mutateAsync({ params: { id: record.id } })
      .then(
        () => toastDone(isPaused ? 'Its schedule runs again.' : 'Paused: its schedule does not run.'),
        toastProblem,
      );
  return (
    <Button
      {...look}
      loading={pause.isPending || resume.isPending}
      {...(isNamed && { 'aria-label': `${act} ${record.queryName}` })}
      onClick={() => void send()}
    >
      {act}
    </Button>
  );
}
