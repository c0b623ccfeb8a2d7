import { ActionIcon, Button } from '@mantine/core';
import { pauseSubscription, resumeSubscription, type Subscription } from '@svc/contract';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { Icon } from '../../ui/text/icons.tsx';

type Props = {
  readonly record: Subscription;
  /** True in a row of a list: the button is an icon, labelled with the query. */
  readonly isInRow?: boolean;
};

/** Pauses or resumes the schedule of a subscription. */
export function PauseButton({ record, isInRow = false }: Props) {
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
  const isLoading = pause.isPending || resume.isPending;
  if (!isInRow) {
    return (
      <Button loading={isLoading} onClick={() => void send()}>
        {act}
      </Button>
    );
  }
  return (
    <Hint label={act}>
      <ActionIcon
        size={28}
        loading={isLoading}
        aria-label={`${act} ${record.queryName}`}
        onClick={() => void send()}
      >
        <Icon name={isPaused ? 'resume' : 'pause'} />
      </ActionIcon>
    </Hint>
  );
}
