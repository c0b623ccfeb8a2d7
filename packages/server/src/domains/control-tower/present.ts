import type {
  ContractEvaluation,
  Notification,
  TowerContractDetail,
  TowerDetail,
  TowerHealthEntry,
  TowerStatistics,
} from '@svc/contract';
import type { DayRow, EntryRow, FiguresRow, StatisticsRow } from './store.ts';
import { presentWorkers, type Workers } from './workers.ts';

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

const presentFigures = ({ judged, good, failed }: FiguresRow) => ({
  judged,
  good,
  failed,
  successRate: judged === 0 ? null : good / judged,
});

/** Returns a watched subject as a row of the grid. */
export const presentEntry = (row: EntryRow): TowerHealthEntry => ({
  kind: row.kind,
  id: row.id,
  name: row.name,
  projectId: row.projectId,
  projectName: row.projectName,
  health: row.health,
  reasons: row.reasons,
  ...presentFigures(row),
  lastGoodAt: timeOf(row.lastGoodAt),
  lastFailedAt: timeOf(row.lastFailedAt),
  watchDueAt: timeOf(row.watchDueAt),
  openTaskId: row.openTaskId,
});

/** Returns a subscription with its days and its last runs. */
export const presentDetail = (row: EntryRow, days: readonly DayRow[], runs: Notification[]): TowerDetail => ({
  ...presentEntry(row),
  days: days.map((day) => ({ day: day.day, ...presentFigures(day) })),
  runs,
});

/** Returns the number of subjects per health, and the state of the workers. */
export const presentStatistics = (row: StatisticsRow, workers: Workers): TowerStatistics => ({
  total: row.total,
  stalled: row.stalled,
  critical: row.critical,
  warning: row.warning,
  new: row.new,
  healthy: row.healthy,
  openTasks: row.openTasks,
  overdueTasks: row.overdueTasks,
  ...presentFigures(row),
  ...presentWorkers(workers),
});

/** Returns a data contract with its days, its last evaluations and its notifications. */
export const presentContractDetail = (
  row: EntryRow,
  detail: {
    readonly days: readonly DayRow[];
    readonly evaluations: ContractEvaluation[];
    readonly runs: Notification[];
  },
): TowerContractDetail => ({
  ...presentEntry(row),
  days: detail.days.map((day) => ({ day: day.day, ...presentFigures(day) })),
  evaluations: detail.evaluations,
  runs: detail.runs,
});
