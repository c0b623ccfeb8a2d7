import { type RuleConfig, type RuleType, slaHoursMax } from '@svc/contract';
import type { Errors } from '../../../lib/form.ts';
import { alertRunsError } from '../../../views/alerts/alert-rule-fields.tsx';
import { windowError } from '../../../views/quiet-hours/quiet-hours.ts';
import { type ContractDraft, countsRows, type RuleDraft } from './draft.ts';

const choose = 'Choose a column.';
const fill = 'Fill this in.';
const columnCounts: Readonly<{ [type in RuleType]: readonly [least: number, most: number] }> = {
  Freshness: [1, 1],
  Volume: [0, 0],
  NullRate: [1, 16],
  Range: [1, 1],
  Pattern: [1, 1],
  AcceptedValues: [1, 1],
  Referential: [1, 16],
  Uniqueness: [1, 16],
  Schema: [0, 0],
  CustomSql: [0, 0],
};

/** Returns the maximum number of columns for a type of rule. */
export const columnsMax = (type: RuleType): number => columnCounts[type][1];

const isMissing = (value: unknown): boolean => value === null || value === undefined || value === '';

function configFaults(type: RuleType, columns: readonly string[], config: RuleConfig): Errors {
  switch (type) {
    case 'Freshness':
      return (config.warnAgeMinutes ?? 0) > (config.maxAgeMinutes ?? 0)
        ? { 'config/warnAgeMinutes': 'Not above the age that fails.' }
        : {};
    case 'Volume': {
      const { minRows, maxRows } = config;
      if (isMissing(minRows) && isMissing(maxRows))
        return { 'config/minRows': 'Give at least one of the two.' };
      return minRows != null && maxRows != null && minRows > maxRows
        ? { 'config/minRows': 'Not above the most.' }
        : {};
    }
    case 'Range':
      return isMissing(config.min) && isMissing(config.max)
        ? { 'config/min': 'Give at least one of the two.' }
        : {};
    case 'Referential': {
      if (isMissing(config.table)) return { 'config/table': 'Choose the other table.' };
      const others = config.columns ?? [];
      const at = columns.findIndex((_, index) => isMissing(others[index]));
      return at === -1 ? {} : { [`config/columns/${at}`]: choose };
    }
    default:
      return {};
  }
}

/**
 * Returns the faults that prevent a check of the rule, by place. Only the service finds faults that depend on the
 * table.
 */
export function ruleFaults(rule: RuleDraft): Errors {
  const [least] = columnCounts[rule.type];
  const isCounted = countsRows(rule);
  const { warnAbove, failAbove } = rule;
  return {
    ...(rule.columns.length < least && { columns: choose }),
    ...(rule.weight === null && { weight: fill }),
    ...(isCounted && failAbove === null && { failAbove: fill }),
    ...(isCounted &&
      warnAbove !== null &&
      failAbove !== null &&
      warnAbove > failAbove && { warnAbove: 'Not above the number that fails.' }),
    ...configFaults(rule.type, rule.columns, rule.config),
  };
}

function alertFaults({ alertMode, alert, quietHours, createTasks, slaHours }: ContractDraft): Errors {
  const runs = alertRunsError(alert.pendingRuns) ?? alertRunsError(alert.recoverRuns);
  const quiet = quietHours?.windows.map(windowError).find((error) => error !== undefined);
  const isDueWithin =
    slaHours === null || (Number.isInteger(slaHours) && slaHours >= 1 && slaHours <= slaHoursMax);
  return {
    ...(alertMode === 'OnChange' && runs !== undefined && { alert: runs }),
    ...(quiet !== undefined && { quietHours: quiet }),
    ...(createTasks && !isDueWithin && { slaHours: `From 1 to ${slaHoursMax}.` }),
  };
}

/**
 * Returns the faults that prevent saving the draft, by place. A fault of a rule has a place such as
 * `rules/KEY/columns`.
 */
export function draftFaults(draft: ContractDraft): Errors {
  const { warnScore, failScore } = draft;
  const ofRules = draft.rules.flatMap((rule) =>
    Object.entries(ruleFaults(rule)).map(
      ([place, message]) => [`rules/${rule.key}/${place}`, message] as const,
    ),
  );
  return {
    ...(draft.projectId === null && { projectId: 'Choose the project.' }),
    ...(draft.dataSourceId === null && { dataSourceId: 'Choose the data source.' }),
    ...(draft.tableName === null && { tableName: 'Choose the table.' }),
    ...(warnScore === null && { warnScore: fill }),
    ...(failScore === null && { failScore: fill }),
    ...(warnScore !== null &&
      failScore !== null &&
      failScore > warnScore && { failScore: 'Not above the score that warns.' }),
    ...alertFaults(draft),
    ...(draft.rules.length === 0 && { rules: 'Add a rule that the table must meet.' }),
    ...Object.fromEntries(ofRules),
  };
}

/** Replaces the index of a rule by its key in each place. */
export const keyed = (errors: Errors, rules: readonly Pick<RuleDraft, 'key'>[]): Errors =>
  Object.fromEntries(
    Object.entries(errors).map(([place, message]) => {
      const [, number = '', rest = ''] = /^rules\/(\d+)(\/.*)?$/.exec(place) ?? [];
      const key = rules[Number(number)]?.key;
      return [number !== '' && key !== undefined ? `rules/${key}${rest}` : place, message];
    }),
  );
