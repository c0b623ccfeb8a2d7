import type { AiActor, AiActorSummary } from '@svc/contract';
import type { ActorRow } from './store.ts';

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Returns an actor for a list. */
export const presentSummary = (row: ActorRow): AiActorSummary => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  name: row.name,
  instructions: row.instructions,
  state: row.state,
  ownerUserId: row.ownerUserId,
  ownerName: row.ownerName,
  thinkCount: row.thinkCount,
  lastThinkAt: isoOf(row.lastThinkAt),
  lastFailure: row.lastFailure,
  pendingPlanId: row.pendingPlanId,
  createdTime: row.createdTime.toISOString(),
});

/** Returns an actor with its settings and its queries. */
export const presentActor = (
  row: ActorRow,
  shown: {
    readonly queries: AiActor['queries'];
    readonly nextThinkAt: string | null;
    readonly canManage: boolean;
  },
): AiActor => ({
  ...presentSummary(row),
  additionalContext: row.additionalContext,
  thinkSchedule: row.thinkSchedule,
  timeZone: row.timeZone,
  isThinkingAfterRuns: row.isThinkingAfterRuns,
  maxQueries: row.maxQueries,
  maxSubscriptionsPerQuery: row.maxSubscriptionsPerQuery,
  maxActionsPerPlan: row.maxActionsPerPlan,
  monthlyTokens: row.monthlyTokens,
  defaultRecipientIds: [...row.defaultRecipientIds],
  requiresApproval: row.requiresApproval,
  createdByUserId: row.createdByUserId,
  nextThinkAt: shown.nextThinkAt,
  queryCount: shown.queries.length,
  subscriptionCount: shown.queries.reduce((sum, { subscriptionCount }) => sum + subscriptionCount, 0),
  totalTokens: row.totalTokens,
  tokensThisMonth: row.tokensThisMonth,
  openThinkId: row.openThinkId,
  queries: shown.queries,
  canManage: shown.canManage,
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});
