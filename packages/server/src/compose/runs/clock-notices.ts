import type { ClockSetBack, Jobs } from '@svc/jobs';
import type { NoticesService } from '../../domains/notices/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

const minuteMs = 60_000;

/** Notifies settings administrators after the database's clock was ahead and has been set back. */
export function composeClockNotices(
  { database, log }: Infrastructure,
  { jobs, notices }: { readonly jobs: Jobs; readonly notices: Pick<NoticesService, 'tellResponsible'> },
): Module {
  const notifyResponsible = ({ aheadMs, scheduleCount }: ClockSetBack) =>
    database.transaction((tx) =>
      notices.tellResponsible(tx, {
        kind: 'ClockSetBack',
        subject: { kind: 'Settings', id: null },
        runId: null,
        facts: { minutes: Math.max(1, Math.round(aheadMs / minuteMs)), scheduleCount },
        isRepetition: false,
      }),
    );
  jobs.onClockSetBack((event) => {
    notifyResponsible(event).catch((error: unknown) => log.error({ err: error }, 'no notice of the clock'));
  });
  return {};
}
