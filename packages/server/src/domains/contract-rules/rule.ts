import type { ContractRule, ContractRuleInput, RuleConfig, RuleType } from '@svc/contract';

/** A rule with all of its members. A new rule has no id yet. */
export type RuleDefinition = Omit<ContractRule, 'id'> & { readonly id: number | null };

/** Table name as in the stored metadata. */
export type TableName = { readonly schema: string; readonly table: string };

/**
 * Measurement of a rule type. `Condition`: rows that meet a failing condition. `Age`: the age of the newest row.
 * `RowCount`: the number of rows. `Duplicates`: rows with repeated keys. `Orphans`: rows without a row in another table.
 * `Columns`: the columns of the table. `Statement`: the rule's own SQL.
 */
type Measure = 'Condition' | 'Age' | 'RowCount' | 'Duplicates' | 'Orphans' | 'Columns' | 'Statement';

type RuleKind = {
  readonly measure: Measure;
  /** Number of columns that a rule names. */
  readonly columns: readonly [min: number, max: number];
  readonly required: readonly (keyof RuleConfig)[];
  readonly optional: readonly (keyof RuleConfig)[];
};

const kinds = {
  Freshness: {
    measure: 'Age',
    columns: [1, 1],
    required: ['maxAgeMinutes'],
    optional: ['warnAgeMinutes', 'futureToleranceMinutes', 'emptyPasses'],
  },
  Volume: { measure: 'RowCount', columns: [0, 0], required: [], optional: ['minRows', 'maxRows'] },
  NullRate: { measure: 'Condition', columns: [1, 16], required: [], optional: ['missingValues'] },
  Range: { measure: 'Condition', columns: [1, 1], required: [], optional: ['min', 'max'] },
  Pattern: { measure: 'Condition', columns: [1, 1], required: ['pattern'], optional: [] },
  AcceptedValues: { measure: 'Condition', columns: [1, 1], required: ['values'], optional: [] },
  Referential: { measure: 'Orphans', columns: [1, 16], required: ['table', 'columns'], optional: ['schema'] },
  Uniqueness: { measure: 'Duplicates', columns: [1, 16], required: [], optional: ['countsNulls'] },
  Schema: { measure: 'Columns', columns: [0, 0], required: ['expected'], optional: [] },
  CustomSql: { measure: 'Statement', columns: [0, 0], required: ['sql', 'kind'], optional: [] },
} as const satisfies Readonly<Record<RuleType, RuleKind>>;

export const ruleKinds: Readonly<Record<RuleType, RuleKind>> = kinds;

/** Types of rules that judge each row separately. */
export type ConditionType = {
  [T in RuleType]: (typeof kinds)[T]['measure'] extends 'Condition' ? T : never;
}[RuleType];

const aggregates: Readonly<Record<Measure, boolean>> = {
  Condition: true,
  Age: true,
  RowCount: true,
  Duplicates: false,
  Orphans: false,
  Columns: false,
  Statement: false,
};

/** Returns true for rules that one scan of the table can answer together. */
export const isAggregate = ({ type }: Pick<RuleDefinition, 'type'>): boolean =>
  aggregates[ruleKinds[type].measure];

/** Returns true for rules that count rows: only these have thresholds and percentages. */
export function countsRows({ type, config }: Pick<RuleDefinition, 'type' | 'config'>): boolean {
  switch (ruleKinds[type].measure) {
    case 'Condition':
    case 'Duplicates':
    case 'Orphans':
      return true;
    case 'Statement':
      return config.kind === 'FailingRows';
    case 'Age':
    case 'RowCount':
    case 'Columns':
      return false;
  }
}

/** Completes an entered rule. */
export const ruleOf = (input: ContractRuleInput): RuleDefinition => ({
  id: input.id ?? null,
  name: input.name.trim(),
  type: input.type,
  columns: input.columns ?? [],
  config: input.config ?? {},
  severity: input.severity ?? 'Medium',
  weight: input.weight ?? 1,
  unit: input.unit ?? 'Rows',
  warnAbove: input.warnAbove ?? null,
  failAbove: input.failAbove ?? 0,
  isEnabled: input.isEnabled ?? true,
});
