import {
  type AlertMode,
  type AlertRule,
  alertDefaults,
  type ContractRule,
  type ContractRuleInput,
  type DataContract,
  type DataContractChange,
  type FailureCondition,
  type QuietHours,
  type RuleConfig,
  type RuleSeverity,
  type RuleType,
  type RuleUnit,
} from '@svc/contract';
import { viewerZone } from '../../../lib/format.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import type { Named } from '../../../ui/form/found-select.tsx';
import type { PickedRecipient } from '../../../views/recipients/recipient-picker.tsx';
import { expressionOf, firstPlan, type Plan, planOf } from '../../../views/schedule/cron.ts';
import { ruleInWords } from '../rule-words.ts';

/** Rule in the editor. */
export type RuleDraft = {
  /** Identity of the rule in the editor. It does not change when the rule moves. */
  readonly key: string;
  /** Null: a new rule. */
  readonly id: number | null;
  /** Empty: the description of the rule is its name. */
  readonly name: string;
  readonly type: RuleType;
  readonly columns: readonly string[];
  readonly config: RuleConfig;
  readonly severity: RuleSeverity;
  readonly weight: number | null;
  readonly unit: RuleUnit;
  readonly warnAbove: number | null;
  readonly failAbove: number | null;
  readonly isEnabled: boolean;
};

export type TableName = { readonly schemaName: string; readonly tableName: string };

/** Contract in the editor. It has the names of the request, so that an error appears at its field. */
export type ContractDraft = {
  readonly name: string;
  readonly description: string;
  readonly projectId: Named | null;
  readonly dataSourceId: Named | null;
  readonly tableName: TableName | null;
  /** Null: a user starts each evaluation. */
  readonly cronExpression: Plan | null;
  readonly timeZone: string;
  readonly isEnabled: boolean;
  readonly failsOn: FailureCondition;
  readonly warnScore: number | null;
  readonly failScore: number | null;
  readonly alertMode: AlertMode;
  readonly alertsOnWarning: boolean;
  /** Settings of the mode `OnChange`. They are retained while another mode is selected. */
  readonly alert: AlertRule;
  readonly quietHours: QuietHours | null;
  readonly createTasks: boolean;
  readonly slaHours: number | null;
  readonly keepsSamples: boolean;
  readonly recipientIds: readonly PickedRecipient[];
  readonly rules: readonly RuleDraft[];
};

/** Defaults of a new contract: evaluated every morning in the user's time zone. */
export const emptyDraft: ContractDraft = {
  name: '',
  description: '',
  projectId: null,
  dataSourceId: null,
  tableName: null,
  cronExpression: { ...firstPlan, kind: 'daily' },
  get timeZone() {
    return viewerZone;
  },
  isEnabled: true,
  failsOn: 'AnyRule',
  warnScore: 95,
  failScore: 80,
  alertMode: 'EveryFailure',
  alertsOnWarning: false,
  alert: alertDefaults,
  quietHours: null,
  createTasks: false,
  slaHours: null,
  keepsSamples: true,
  recipientIds: [],
  rules: [],
};

const ruleDraftOf = (rule: ContractRule): RuleDraft => ({ ...rule, key: `rule ${rule.id}` });

/** Returns the draft that changes a contract. */
export const draftOf = (record: DataContract): ContractDraft => ({
  name: record.name,
  description: record.description ?? '',
  projectId: { id: record.projectId, name: record.projectName },
  dataSourceId: { id: record.dataSourceId, name: record.dataSourceName },
  tableName: { schemaName: record.schemaName, tableName: record.tableName },
  cronExpression: record.schedule && planOf(record.schedule.cronExpression),
  timeZone: record.schedule?.timeZone ?? viewerZone,
  isEnabled: record.isEnabled,
  failsOn: record.failsOn,
  warnScore: record.warnScore,
  failScore: record.failScore,
  alertMode: record.alertMode,
  alertsOnWarning: record.alertsOnWarning,
  alert: record.alert ?? alertDefaults,
  quietHours: record.quietHours,
  createTasks: record.createTasks,
  slaHours: record.slaHours,
  keepsSamples: record.keepsSamples,
  recipientIds: record.recipients,
  rules: record.rules.map(ruleDraftOf),
});

type Column = {
  readonly name: string;
  readonly databaseType: string;
  readonly isNullable: boolean;
};

const dayMinutes = 1_440;

const firstConfigs: Readonly<{ [type in RuleType]: (columns: readonly Column[]) => RuleConfig }> = {
  Freshness: () => ({ maxAgeMinutes: dayMinutes }),
  Volume: () => ({ minRows: 1 }),
  NullRate: () => ({}),
  Range: () => ({ min: null, max: null }),
  Pattern: () => ({ pattern: '' }),
  AcceptedValues: () => ({ values: [] }),
  Referential: () => ({ schema: '', table: '', columns: [] }),
  Uniqueness: () => ({}),
  Schema: (columns) => ({ expected: expectedOf(columns) }),
  CustomSql: () => ({ sql: '', kind: 'FailingRows' }),
};

/** Returns the present columns as the expectation of a Schema rule. */
export const expectedOf = (columns: readonly Column[]): NonNullable<RuleConfig['expected']> =>
  columns.map(({ name, databaseType, isNullable }) => ({
    name,
    databaseType,
    isNullable: isNullable ? null : false,
  }));

/** Returns a new rule of a type for a table with these columns. */
export const newRule = (type: RuleType, columns: readonly Column[]): RuleDraft => ({
  key: randomUuid(),
  id: null,
  name: '',
  type,
  columns: [],
  config: firstConfigs[type](columns),
  severity: 'Medium',
  weight: 1,
  unit: 'Rows',
  warnAbove: null,
  failAbove: 0,
  isEnabled: true,
});

/** Returns true for rules that count rows. Only these rules have thresholds. */
export const countsRows = ({ type, config }: Pick<RuleDraft, 'type' | 'config'>): boolean =>
  !['Freshness', 'Volume', 'Schema'].includes(type) &&
  (type !== 'CustomSql' || config.kind === 'FailingRows');

/** Converts a rule to the request. Omits empty numbers. */
export const ruleInputOf = (rule: RuleDraft): ContractRuleInput => {
  const { key: _key, id, name, weight, unit, warnAbove, failAbove, columns, ...rest } = rule;
  const isCounted = countsRows(rule);
  return {
    ...(id !== null && { id }),
    ...rest,
    name: name.trim() || ruleInWords(rule),
    columns: [...columns],
    ...(weight !== null && { weight }),
    unit: isCounted ? unit : 'Rows',
    warnAbove: isCounted ? warnAbove : null,
    failAbove: isCounted ? (failAbove ?? 0) : 0,
  };
};

type Sent = Omit<DataContractChange, 'projectId' | 'dataSourceId' | 'tableName'> &
  Partial<Pick<DataContractChange, 'projectId' | 'dataSourceId' | 'tableName'>>;

/** Converts a draft to the request. Omits missing choices, so that validation refuses them. */
export function bodyOf(draft: ContractDraft): Sent {
  const { projectId, dataSourceId, tableName: table, warnScore, failScore } = draft;
  return {
    ...(projectId && { projectId: projectId.id }),
    ...(dataSourceId && { dataSourceId: dataSourceId.id }),
    schemaName: table?.schemaName ?? '',
    ...(table && { tableName: table.tableName }),
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    cronExpression: draft.cronExpression && expressionOf(draft.cronExpression),
    timeZone: draft.cronExpression && draft.timeZone,
    isEnabled: draft.isEnabled,
    failsOn: draft.failsOn,
    ...(warnScore !== null && { warnScore }),
    ...(failScore !== null && { failScore }),
    alertMode: draft.alertMode,
    alertsOnWarning: draft.alertsOnWarning,
    alert: draft.alertMode === 'OnChange' ? draft.alert : null,
    quietHours: draft.quietHours,
    createTasks: draft.createTasks,
    slaHours: draft.createTasks ? draft.slaHours : null,
    keepsSamples: draft.keepsSamples,
    rules: draft.rules.map(ruleInputOf),
  };
}

/** Returns a text that is equal for two drafts only if their saved values are equal. */
export const fingerprintOf = (draft: ContractDraft): string =>
  JSON.stringify([bodyOf(draft), draft.recipientIds.map(({ id }) => id).toSorted((a, b) => a - b)]);
