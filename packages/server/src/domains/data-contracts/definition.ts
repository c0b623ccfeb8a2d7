import { isDeepStrictEqual } from 'node:util';
import {
  type AlertMode,
  type AlertRule,
  alertDefaults,
  type DataContractChange,
  type Schedule,
} from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { brokenRule, forbidden, type MemberError, notFound } from '../../platform/http/index.ts';
import { requireClockTimes } from '../alerts/index.ts';
import { faultsOf, type RuleDefinition, ruleOf } from '../contract-rules/index.ts';
import { findMetadata } from '../data-sources/index.ts';
import { findEngine } from './source-store.ts';
import type { ContractRow, ContractSettings } from './store.ts';

/** A complete contract definition: every optional member has a value. */
export type ContractDefinition = { readonly settings: ContractSettings; readonly rules: RuleDefinition[] };

/** Members that retain their stored value when a change omits them. */
type Present = Pick<ContractSettings, 'failsOn' | 'cronExpression' | 'timeZone'>;

/** Every day at 6:00. Without a default schedule, a contract would never be evaluated. */
const cronExpressionDefault = '0 6 * * *';
const warnScoreDefault = 95;
const failScoreDefault = 80;

/**
 * Returns the complete definition of an input after checking its schedule.
 *
 * @param present  Stored contract that the input changes; undefined for a new contract.
 */
export async function definitionOf(
  input: DataContractChange,
  explainSchedule: (cronExpression: string, timeZone: string | undefined) => Promise<Schedule>,
  present?: Present,
): Promise<ContractDefinition> {
  const { rules, cronExpression: _cron, timeZone: _zone, ...settings } = input;
  const alertMode = input.alertMode ?? 'EveryFailure';
  const quietHours = input.quietHours ?? null;
  requireClockTimes(quietHours);
  const plan = planOf(input, present);
  const schedule = plan && (await explainSchedule(plan.cronExpression, plan.timeZone));
  return {
    rules: rules.map(ruleOf),
    settings: {
      ...settings,
      name: input.name.trim(),
      description: input.description?.trim() || null,
      cronExpression: schedule?.cronExpression ?? null,
      timeZone: schedule?.timeZone ?? null,
      isEnabled: input.isEnabled ?? true,
      failsOn: input.failsOn ?? present?.failsOn ?? 'AnyRule',
      warnScore: input.warnScore ?? warnScoreDefault,
      failScore: input.failScore ?? Math.min(failScoreDefault, input.warnScore ?? warnScoreDefault),
      alertMode,
      alert: alertOf(alertMode, input.alert),
      quietHours,
      alertsOnWarning: input.alertsOnWarning ?? false,
      createTasks: input.createTasks ?? false,
      slaHours: input.slaHours ?? null,
      keepsSamples: input.keepsSamples ?? true,
    },
  };
}

type Plan = { readonly cronExpression: string; readonly timeZone: string | undefined };

/** Returns the schedule from the input, the stored contract or the default, in this order. Null means no schedule. */
function planOf(
  { cronExpression, timeZone }: Pick<DataContractChange, 'cronExpression' | 'timeZone'>,
  present: Present | undefined,
): Plan | null {
  const stored = present ? present.cronExpression : cronExpressionDefault;
  const expression = cronExpression === undefined ? stored : cronExpression;
  if (expression === null) return null;
  const isStored = cronExpression === undefined && timeZone === undefined;
  return {
    cronExpression: expression,
    timeZone: timeZone ?? (isStored ? (present?.timeZone ?? undefined) : undefined),
  };
}

/**
 * Returns the alert rule with defaults for omitted members; null for modes other than `OnChange`.
 *
 * @throws Refusal 400 when the input contains an alert and the mode is not `OnChange`.
 */
function alertOf(mode: AlertMode, input: DataContractChange['alert']): AlertRule | null {
  if (mode === 'OnChange') return { ...alertDefaults, ...input };
  if (!input) return null;
  throw brokenRule(
    'alert-without-trigger',
    'Only the alert mode OnChange keeps an alert. Choose it, or leave the alert out.',
    [{ path: '/alert', message: 'must be null with this alert mode' }],
  );
}

/** Returns true when a change invalidates the current alert state, because the alert's meaning has changed. */
export const hasOtherMeaning = (before: ContractSettings, after: ContractSettings): boolean =>
  (['alertMode', 'alertsOnWarning', 'failsOn', 'dataSourceId', 'schemaName', 'tableName'] as const).some(
    (name) => before[name] !== after[name],
  ) || !isDeepStrictEqual(before.alert, after.alert);

/**
 * Validates a contract against the stored metadata of its data source.
 *
 * @throws Refusal 404 when the data source is not linked to the project, 400 with the path of each invalid member.
 */
export const assertFits = (
  executor: Executor,
  { settings, rules }: ContractDefinition,
  stored: readonly { readonly id: number }[],
  mayLackTable = false,
): Promise<void> =>
  assertRulesFit(executor, settings, rules, {
    mayLackTable,
    others: [
      ...(settings.failScore > settings.warnScore
        ? [{ path: '/failScore', message: 'must not be above warnScore' }]
        : []),
      ...idFaults(rules, stored),
    ],
  });

type TableOfProject = Pick<ContractSettings, 'projectId' | 'dataSourceId' | 'schemaName' | 'tableName'>;

type FitOptions = {
  /** Errors of other members, reported together with the errors of the rules. */
  readonly others?: readonly MemberError[];
  /** Accepts a table that does not exist yet. Only checks that do not need the table then run. */
  readonly mayLackTable?: boolean;
};

/** Validates rules alone, with the same refusals as `assertFits`. */
export async function assertRulesFit(
  executor: Executor,
  { projectId, dataSourceId, schemaName, tableName }: TableOfProject,
  rules: readonly RuleDefinition[],
  { others = [], mayLackTable = false }: FitOptions = {},
): Promise<void> {
  const engine = await findEngine(executor, projectId, dataSourceId);
  if (engine === undefined) throw notFound();
  const errors: MemberError[] = [...others];
  const { tables } = (await findMetadata(executor, dataSourceId))?.snapshot ?? { tables: [] };
  const find = (schema: string, table: string) =>
    tables.find((each) => each.schema === schema && each.name === table);
  const table = find(schemaName, tableName);
  if (table || mayLackTable) errors.push(...faultsOf(rules, { engine, table, find }));
  else errors.push({ path: '/tableName', message: 'is not in the metadata of the data source' });
  const [first] = errors;
  if (!first) return;
  throw brokenRule('invalid-contract', `${first.path} ${first.message}.`, errors);
}

function idFaults(
  rules: readonly RuleDefinition[],
  stored: readonly { readonly id: number }[],
): MemberError[] {
  return rules.flatMap(({ id }, at) => {
    if (id === null) return [];
    const path = `/rules/${at}/id`;
    if (!stored.some((rule) => rule.id === id)) return [{ path, message: 'is no rule of this contract' }];
    return rules.findIndex((rule) => rule.id === id) === at ? [] : [{ path, message: 'is named twice' }];
  });
}

/**
 * A user's own SQL can read all data of the data source. Only an Admin adds or changes an SQL statement, or moves it to
 * another project or data source.
 *
 * @throws Refusal 403.
 */
export function assertMayUseSql(
  caller: Caller,
  next: {
    readonly settings: Pick<ContractSettings, 'projectId' | 'dataSourceId'>;
    readonly rules: readonly RuleDefinition[];
  },
  before?: Pick<ContractRow, 'projectId' | 'dataSourceId' | 'rules'>,
): void {
  if (isAdmin(caller)) return;
  const isMoved =
    before !== undefined &&
    (before.projectId !== next.settings.projectId || before.dataSourceId !== next.settings.dataSourceId);
  const sqlOf = (id: number | null) => before?.rules.find((rule) => rule.id === id)?.config;
  const isNew = ({ id, config }: RuleDefinition): boolean => {
    const previousConfig = sqlOf(id);
    return (
      previousConfig === undefined || previousConfig.sql !== config.sql || previousConfig.kind !== config.kind
    );
  };
  if (!next.rules.some((rule) => rule.type === 'CustomSql' && (isMoved || isNew(rule)))) return;
  throw forbidden('custom-sql-rule', 'Rules of custom SQL are added, changed and moved by Admins.');
}
