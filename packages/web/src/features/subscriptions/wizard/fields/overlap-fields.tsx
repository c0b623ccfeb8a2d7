import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { duration } from '../../../../lib/format.ts';
import { notifications } from '../../../../requests/notifications.ts';
import { schedulePreview } from '../../../../requests/schedules.ts';
import { Icon } from '../../../../ui/text/icons.tsx';
import { expressionOf, type Plan } from '../../../../views/schedule/cron.ts';
import type { StepProps } from '../choices.ts';
import { overlaps, shortestIntervalMs, usualDurationMs } from './overlap.ts';

/** Fields for due times during the preceding run. */
export const OverlapFields = ({ choices, change }: StepProps) => (
  <>
    <Checkbox
      label="Let runs queue"
      description="A run that comes due while the previous one is running starts afterwards. Otherwise it is skipped and listed among the missed runs."
      checked={choices.overlap === 'Queue'}
      onChange={(event) => change({ overlap: event.currentTarget.checked ? 'Queue' : 'Skip' })}
    />
    {choices.queryId !== null && (
      <OverlapWarning queryId={choices.queryId} plan={choices.plan} timeZone={choices.timeZone} />
    )}
  </>
);

type WarningProps = { readonly queryId: number; readonly plan: Plan; readonly timeZone: string };

/** Warns if recent runs of the query usually took longer than the interval of the schedule. */
export function OverlapWarning({ queryId, plan, timeZone }: WarningProps) {
  const runs = useQuery(notifications({ queryId, pageSize: '20' }));
  const schedule = useQuery(schedulePreview(expressionOf(plan), timeZone));
  const durationMs = usualDurationMs((runs.data?.items ?? []).map((run) => run.executionTimeMs));
  const intervalMs = shortestIntervalMs(schedule.data?.nextTimes ?? []);
  if (durationMs === null || intervalMs === null || !overlaps(durationMs, intervalMs)) return null;
  return (
    <p role="status" className="notice">
      <Icon name="warning" />
      <span>
        This query usually takes {duration(durationMs)}, the interval is {duration(intervalMs)}. Choose a
        longer interval: runs that come due while one is running are skipped or queue.
      </span>
    </p>
  );
}
