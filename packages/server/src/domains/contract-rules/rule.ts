import type { ContractRule, ContractRuleInput, RuleConfig, RuleType } from '@svc/contract';

/** A rule with all of its members; those that are new have no id yet. */
export type RuleDefinition = Omit<ContractRule, 'id'> & { readonly id: number | null };

/** A table, as its snapshot names it. */
export type TableName = { readonly schema: string; readonly table: string };

/** What rules of a type say and how they are judged. */
type RuleKind = {
  /** How many columns it is about. */
  readonly columns: readonly [min: number, max: number];
  readonly required: readonly (keyof RuleConfig)[];
  readonly optional: readonly (keyof RuleConfig)[];
};

export const ruleKinds: Readonly<Record<RuleType, RuleKind>> = {
  Freshness: {
    columns: [1, 1],
    required: ['maxAgeMinutes'],
    optional: ['warnAgeMinutes', 'futureToleranceMinutes', 'emptyPasses'],
  },
  Volume: { columns: [0, 0], required: [], optional: ['minRows', 'maxRows'] },
  NullRate: { columns: [1, 16], required: [], optional: ['missingValues'] },
  Range: { columns: [1, 1], required: [], optional: ['min', 'max'] },
  Pattern: { columns: [1, 1], required: ['pattern'], optional: [] },
  AcceptedValues: { columns: [1, 1], required: ['values'], optional: [] },
  Referential: { columns: [1, 16], required: ['table', 'columns'], optional: ['schema'] },
  Uniqueness: { columns: [1, 16], required: [], optional: ['countsNulls'] },
  Schema: { columns: [0, 0], required: ['expected'], optional: [] },
  CustomSql: { columns: [0, 0], required: ['sql', 'kind'], optional: [] },
};

/** Rules that one walk over the table answers together. */
export const isAggregate = ({ type }: Pick<RuleDefinition, 'type'>): boolean =>
  ['Freshness', 'Volume', 'NullRate', 'Range', 'Pattern', 'AcceptedValues'].includes(type);

/** Rules that count rows: thresholds and shares mean something to them, and to no others. */
export const countsRows = ({ type, config }: Pick<RuleDefinition, 'type' | 'config'>): boolean =>
  ['NullRate', 'Range', 'Pattern', 'AcceptedValues', 'Referential', 'Uniqueness'].includes(type) ||
  (type === 'CustomSql' && config.kind === 'FailingRows');

/** The whole of what was entered. */
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
