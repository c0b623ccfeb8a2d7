import type { AiPlan, AiPlanAction, AiPlanSummary } from '@svc/contract';
import type { ActionDefinition, Sample } from '../thinking/actions.ts';
import type { ActionRow, PlanRow } from './store.ts';

/** Returns a plan for a list. */
export const presentPlanSummary = (row: PlanRow): AiPlanSummary => ({
  id: row.id,
  actorId: row.actorId,
  actorName: row.actorName,
  projectId: row.projectId,
  projectName: row.projectName,
  status: row.status,
  version: row.version,
  parentPlanId: row.parentPlanId,
  thinkId: row.thinkId,
  analysis: row.analysis ?? '',
  actionCount: row.actionCount,
  createdTime: row.createdTime.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  decidedByUserName: row.decidedByUserName,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  comment: row.comment,
});

type Shown = Pick<
  AiPlanAction,
  | 'queryId'
  | 'queryName'
  | 'description'
  | 'sql'
  | 'currentSql'
  | 'cronExpression'
  | 'timeZone'
  | 'notificationTrigger'
  | 'minimumRowCount'
  | 'subscriptionId'
  | 'schemaName'
  | 'tableName'
  | 'contractName'
  | 'rules'
>;

const nothing: Shown = {
  queryId: null,
  queryName: null,
  description: null,
  sql: null,
  currentSql: null,
  cronExpression: null,
  timeZone: null,
  notificationTrigger: null,
  minimumRowCount: null,
  subscriptionId: null,
  rules: [],
  schemaName: null,
  tableName: null,
  contractName: null,
};

function partsOf(action: ActionDefinition): Shown {
  switch (action.type) {
    case 'CreateQuery': {
      const { name: queryName, description, sql } = action;
      return { ...nothing, queryName, description, sql };
    }
    case 'RefineQuery': {
      const { queryId, queryName, description, sql, currentSql } = action;
      return { ...nothing, queryId, queryName, description, sql, currentSql };
    }
    case 'CreateSubscription': {
      const { queryId, queryName, cronExpression, timeZone, notificationTrigger, minimumRowCount } = action;
      return {
        ...nothing,
        queryId,
        queryName,
        cronExpression,
        timeZone,
        notificationTrigger,
        minimumRowCount,
      };
    }
    case 'ArchiveSubscription': {
      const { queryId, queryName, subscriptionId, cronExpression, timeZone } = action;
      return { ...nothing, queryId, queryName, subscriptionId, cronExpression, timeZone };
    }
    case 'CreateContract': {
      const { schemaName, tableName, name: contractName } = action;
      const rules = action.rules.map(({ name, type, columns, config }) => ({ name, type, columns, config }));
      return { ...nothing, schemaName, tableName, contractName, rules };
    }
  }
}

/** Returns the recipients of an action. */
export const recipientsOf = (action: ActionDefinition): readonly number[] =>
  'recipientIds' in action ? action.recipientIds : [];

const presentAction = (
  row: ActionRow,
  sample: Sample | null,
  names: ReadonlyMap<number, string>,
): AiPlanAction => ({
  id: row.id,
  type: row.definition.type,
  reasoning: row.reasoning,
  isApplied: row.isApplied,
  isQueryLocked: row.isQueryLocked,
  ...partsOf(row.definition),
  recipients: recipientsOf(row.definition).flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  }),
  sample: sample && {
    columns: [...sample.columns],
    rows: sample.rows.map((cells) => [...cells]),
    isTruncated: sample.isTruncated,
  },
  resultQueryId: row.resultQueryId,
  resultSubscriptionId: row.resultSubscriptionId,
  resultContractId: row.resultContractId,
});

/** Returns a plan with its actions. */
export const presentPlan = (
  row: PlanRow,
  shown: {
    readonly actions: readonly { readonly row: ActionRow; readonly sample: Sample | null }[];
    readonly names: ReadonlyMap<number, string>;
    readonly canDecide: boolean;
    readonly canWithdraw: boolean;
  },
): AiPlan => ({
  ...presentPlanSummary(row),
  feedback: row.feedback,
  findings: row.findings,
  discarded: row.discarded,
  actions: shown.actions.map(({ row: action, sample }) => presentAction(action, sample, shown.names)),
  planHash: row.status === 'Pending' ? row.planHash : null,
  canDecide: shown.canDecide,
  canWithdraw: shown.canWithdraw,
  tokens: { input: row.inputTokens, output: row.outputTokens, isEstimated: row.isEstimated },
  model: row.model,
});
