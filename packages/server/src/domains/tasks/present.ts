import {
  type Notification,
  plural,
  type Task,
  type TaskComment,
  type TaskDetail,
  type TaskEvent,
  type TaskExecution,
} from '@svc/contract';
import type { TaskEvaluationRow } from './evaluation-store.ts';
import type { TaskEventRow } from './event-store.ts';
import type { TaskDetailRow, TaskRow } from './store.ts';

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

export const presentTask = (row: TaskRow): Task => ({
  id: row.id,
  subscriptionId: row.subscriptionId,
  contractId: row.contractId,
  queryId: row.queryId,
  name: row.name,
  projectId: row.projectId,
  projectName: row.projectName,
  state: row.state,
  priority: row.priority,
  assigneeUserId: row.assigneeUserId,
  assigneeName: row.assigneeName,
  latestResultCount: row.latestCount,
  latestAt: row.latestAt.toISOString(),
  createdTime: row.createdTime.toISOString(),
  dueAt: timeOf(row.dueAt),
  isOverdue: row.isOverdue,
  snoozedUntil: timeOf(row.snoozedUntil),
  resolvedAt: timeOf(row.resolvedAt),
  resolvedByName: row.resolvedByName,
  resolution: row.resolution,
  version: row.version,
});

export const presentDetail = (
  row: TaskDetailRow,
  { canAct, hasStoredRows }: Pick<TaskDetail, 'canAct' | 'hasStoredRows'>,
): TaskDetail => ({
  ...presentTask(row),
  resolutionNotes: row.notes,
  slaHours: row.slaHours,
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  previousTaskId: row.previousTaskId,
  watcherCount: row.watcherCount,
  isWatching: row.isWatching,
  commentCount: row.commentCount,
  canAct,
  hasStoredRows,
});

const countText = (count: unknown, of: unknown): string => {
  const noun = of === 'Rules' ? 'rule' : 'row';
  return plural(typeof count === 'number' ? count : 0, noun);
};

/** Describes an event in words; null when kind, name and content describe it. */
function commentOf({ kind, detail }: TaskEventRow): string | null {
  switch (kind) {
    case 'Opened':
      return detail['of'] === 'Rules'
        ? `An evaluation failed: ${countText(detail['count'], 'Rules')} did not pass.`
        : `A run found ${countText(detail['count'], null)}.`;
    case 'CountChanged':
      return `${countText(detail['count'], detail['of'])} now, ${detail['before']} before.`;
    case 'Assigned':
      return `To ${detail['assigneeName']}.`;
    case 'PriorityChanged':
      return `From ${detail['from']} to ${detail['to']}.`;
    case 'Woke':
      return detail['count'] === undefined
        ? null
        : `${detail['of'] === 'Rules' ? 'An evaluation' : 'A run'} found more: ${countText(detail['count'], detail['of'])}.`;
    case 'Resolved':
      if (detail['isAutomatic'] !== true) return null;
      return detail['of'] === 'Rules'
        ? 'An evaluation passed: the contract has recovered.'
        : 'A run found no rows any more.';
    case 'Snoozed':
      return `Until ${String(detail['until']).replace('T', ' ').slice(0, 16)} UTC.`;
    case 'Overdue':
    case 'Unassigned':
    case 'Reopened':
    case 'Commented':
    case 'AcknowledgementWithdrawn':
      return null;
    case 'Acknowledged':
      return 'No reminder is sent until the alert clears.';
  }
}

export const presentEvent = (row: TaskEventRow): TaskEvent => ({
  id: row.id,
  kind: row.kind,
  createdTime: row.createdTime.toISOString(),
  userName: row.userName,
  content: row.content,
  comment: commentOf(row),
  notificationId: row.runId,
});

export const presentComment = (row: TaskEventRow): TaskComment => ({
  id: row.id,
  content: row.content ?? '',
  userName: row.userName,
  createdTime: row.createdTime.toISOString(),
});

/** Presents a run of the history with the fields that a task shows. */
export const presentExecution = (run: Notification): TaskExecution => ({
  id: run.id,
  evaluationId: null,
  executedAt: run.dueAt,
  durationMs: run.executionTimeMs,
  rowCount: run.resultCount,
  status: run.status,
});

/** Presents an evaluation of the contract with the fields that a task shows. */
export const presentEvaluation = (row: TaskEvaluationRow): TaskExecution => ({
  id: row.id,
  evaluationId: row.id,
  executedAt: row.at.toISOString(),
  durationMs: row.durationMs,
  rowCount: row.brokenCount,
  status: row.status,
});
