import type { Activity, HomeKpis, HomeTrends, HomeUptime, RunFigures, TaskSummary } from '@svc/contract';
import { presentWorkers, type Workers } from '../control-tower/index.ts';
import { commentOf, type RunTotals } from '../run-history/index.ts';
import type { ActivityRow } from './activity-store.ts';
import type { CountsRow } from './counts-store.ts';
import type { DayRow, FiguresRow, HourRow, SpanRows, TaskCountsRow } from './store.ts';

const presentFigures = ({ runs, sent, failed, averageMs, p95Ms }: FiguresRow): RunFigures => ({
  runs,
  sent,
  failed,
  averageMs,
  p95Ms,
});

export const presentTrends = (days: readonly DayRow[], spans: SpanRows): HomeTrends => ({
  from: spans.from.toISOString(),
  to: spans.to.toISOString(),
  days: days.map((day) => ({ date: day.date, ...presentFigures(day) })),
  total: presentFigures(spans.total),
  before: presentFigures(spans.before),
});

/** Returns the reason of a failed run or of an anomaly. */
function commentOn({ kind, reason, reasonDetail }: ActivityRow): string | null {
  if (kind === 'AnomalyDetected') return reason;
  return kind === 'RunFailed' ? commentOf({ reason, detail: reasonDetail }) : null;
}

export const presentActivity = (row: ActivityRow): Activity => ({
  kind: row.kind,
  time: row.time.toISOString(),
  queryName: row.queryName,
  projectId: row.projectId,
  subscriptionId: row.subscriptionId,
  contractId: row.contractId,
  notificationId: row.runId,
  taskId: row.taskId,
  comment: commentOn(row),
  count: row.count,
});

/** Returns the hours and the share of successful due runs. */
export function presentUptime(hours: readonly HourRow[]): HomeUptime {
  let due = 0;
  let good = 0;
  for (const { runs, failed, missed } of hours) {
    due += runs + missed;
    good += runs - failed;
  }
  return {
    hours: hours.map(({ from, runs, failed, missed }) => ({
      from: from.toISOString(),
      runs,
      failed,
      missed,
      isMissed: missed > 0,
    })),
    uptime: due === 0 ? null : good / due,
  };
}

export const presentTaskSummary = ({ open, mine, overdue, snoozed }: TaskCountsRow): TaskSummary => ({
  open,
  mine,
  overdue,
  snoozed,
});

/** Returns the record counts, and whether a worker is running. */
export const presentKpis = (counts: CountsRow, runs: RunTotals, workers: Workers): HomeKpis => ({
  dataSources: counts.dataSources,
  dataSourcesWithWarnings: counts.dataSourcesWithWarnings,
  projects: counts.projects,
  queries: counts.queries,
  activeSubscriptions: counts.activeSubscriptions,
  openTasks: counts.openTasks,
  runs: runs.total,
  failedRuns: runs.failed,
  ...presentWorkers(workers),
});
