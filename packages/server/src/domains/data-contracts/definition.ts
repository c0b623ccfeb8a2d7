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

/** A contract as it is to be saved. */
export type ContractDefinition = { readonly settings: ContractSettings; readonly rules: RuleDefinition[] };

/** Members of a contract that a change without them keeps. */
type Present = Pick<ContractSettings, 'failsOn' | 'cronExpression' | 'timeZone'>;

/** Every day at 6:00: a contract without a schedule would fail unseen. */
const cronExpressionDefault = '0 6 * * *';
const warnScoreDefault = 95;
const failScoreDefault = 80;

/**
 * The complete definition of an input, with its schedule checked.
 *
 * @param present  The contract that the input changes; undefined for a new one.
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

/** The schedule of an input: its own, that of the contract it changes, or the default. Null: none. */
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
 * How `OnChange` tells: whole, with the defaults for what was left out; null with the other mode.
 *
 * @throws Refusal 400 where the other mode is given one.
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

/** Whether what was told of a contract was something else. */
export const hasOtherMeaning = (before: ContractSettings, after: ContractSettings): boolean =>
  (['alertMode', 'alertsOnWarning', 'failsOn', 'dataSourceId', 'schemaName', 'tableName'] as const).some(
    (name) => before[name] !== after[name],
  ) || !isDeepStrictEqual(before.alert, after.alert);

/**
 * Holds a contract against what is known of its data source.
 *
 * @throws Refusal 404 where the data source is none of the project's, 400 with the path of each member that does not fit.
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
  /** Errors of other members. */
  readonly others?: readonly MemberError[];
  /** The table may be created later: its rules are checked as far as they do not depend on it. */
  readonly mayLackTable?: boolean;
};

/** Checks rules alone, with the same refusals. */
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
 * A statement of somebody's own reads whatever the data source holds: only an Admin adds or changes one, or moves it to
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
    const known = sqlOf(id);
    return known === undefined || known.sql !== config.sql || known.kind !== config.kind;
  };
  if (!next.rules.some((rule) => rule.type === 'CustomSql' && (isMoved || isNew(rule)))) return;
  throw forbidden('custom-sql-rule', 'Rules of custom SQL are added, changed and moved by Admins.');
}
