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

/** Days and their sums. */
export const presentTrends = (days: readonly DayRow[], spans: SpanRows): HomeTrends => ({
  from: spans.from.toISOString(),
  to: spans.to.toISOString(),
  days: days.map((day) => ({ date: day.date, ...presentFigures(day) })),
  total: presentFigures(spans.total),
  before: presentFigures(spans.before),
});

/** Why a run failed, or what was out of the ordinary. */
function commentOn({ kind, reason, reasonDetail }: ActivityRow): string | null {
  if (kind === 'AnomalyDetected') return reason;
  return kind === 'RunFailed' ? commentOf({ reason, detail: reasonDetail }) : null;
}

/** Something that happened, as it is shown. */
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

/** Hours, and the share of those that went well among those in which something was due. */
export function presentUptime(hours: readonly HourRow[]): HomeUptime {
  const judged = hours.filter((hour) => hour.runs > 0 || hour.isMissed);
  const good = judged.filter((hour) => hour.failed === 0 && !hour.isMissed);
  return {
    hours: hours.map(({ from, runs, failed, isMissed }) => ({
      from: from.toISOString(),
      runs,
      failed,
      isMissed,
    })),
    uptime: judged.length === 0 ? null : good.length / judged.length,
  };
}

/** How many tasks wait. */
export const presentTaskSummary = ({ open, mine, overdue, snoozed }: TaskCountsRow): TaskSummary => ({
  open,
  mine,
  overdue,
  snoozed,
});

/** How much there is, and whether anybody runs jobs. */
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
