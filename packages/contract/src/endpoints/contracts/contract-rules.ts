import { type Static, Type } from 'typebox';
import { FiniteNumber, Id, NonBlank, nullable, wordOf } from '../../shapes.ts';

/** Conditions that a rule can check. */
export const ruleTypes = [
  'Freshness',
  'Volume',
  'NullRate',
  'Range',
  'Pattern',
  'AcceptedValues',
  'Referential',
  'Uniqueness',
  'Schema',
  'CustomSql',
] as const;
export type RuleType = (typeof ruleTypes)[number];

/**
 * Importance of a rule: sets its colour and order, and a Critical rule may pass quiet hours. With `failsOn: Score` it
 * also weights the score, and a Critical rule that fails or cannot be judged decides the evaluation.
 */
export const ruleSeverities = ['Critical', 'High', 'Medium', 'Low'] as const;
export type RuleSeverity = (typeof ruleSeverities)[number];

/** Units of the thresholds for failing rows. */
export const ruleUnits = ['Rows', 'Percent'] as const;
export type RuleUnit = (typeof ruleUnits)[number];

/** Outcomes of a rule. `Error`: the check could not run, so the state of the data is unknown. */
export const ruleOutcomes = ['Passed', 'Warned', 'Failed', 'Error'] as const;
export type RuleOutcome = (typeof ruleOutcomes)[number];

/**
 * Conditions that fail a contract. `AnyRule`: a failed rule, or a score under `failScore`. `Score`: a failed Critical
 * rule, or a score under `failScore`, weighted by severity. Contracts of earlier versions use `Score`.
 */
export const failureConditions = ['AnyRule', 'Score'] as const;
export type FailureCondition = (typeof failureConditions)[number];

/**
 * `EveryFailure`: each scheduled evaluation that fails sends an alert. `OnChange`: one alert for the first failure and
 * one for the recovery.
 */
export const alertModes = ['EveryFailure', 'OnChange'] as const;
export type AlertMode = (typeof alertModes)[number];

/** `Verdict`: one row contains the outcome. `FailingRows`: each row is a failing row. */
export const customSqlKinds = ['Verdict', 'FailingRows'] as const;
export type CustomSqlKind = (typeof customSqlKinds)[number];

const nameLengthMax = 200;
const rowCount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const minutes = Type.Integer({ minimum: 1, maximum: 5_256_000 });
const bound = Type.Union([FiniteNumber, NonBlank(100)], {
  description: 'A number, or a time as `YYYY-MM-DD` or RFC 3339.',
});
const value = Type.Union([Type.String({ maxLength: 1_000 }), FiniteNumber]);

/** A refusal of an unknown member lists the valid members. */
const listingMembers = { 'x-lists-members': true };

/** The service refuses members of another rule type. */
const Config = Type.Object(
  {
    maxAgeMinutes: Type.Optional(
      Type.Integer({ ...minutes, description: 'Freshness: age in minutes above which the rule fails.' }),
    ),
    warnAgeMinutes: Type.Optional(
      nullable(
        Type.Integer({ ...minutes, description: 'Freshness: age in minutes above which the rule warns.' }),
      ),
    ),
    futureToleranceMinutes: Type.Optional(
      nullable(
        Type.Integer({
          ...minutes,
          minimum: 0,
          description:
            'Freshness: minutes by which a time may be in the future and still count. Later times are counted separately. Default: 5; for date columns 1440.',
        }),
      ),
    ),
    emptyPasses: Type.Optional(
      Type.Boolean({ description: 'Freshness: the rule passes for a table without rows.' }),
    ),
    minRows: Type.Optional(nullable(rowCount)),
    maxRows: Type.Optional(nullable(rowCount)),
    missingValues: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000 }), {
        maxItems: 100,
        description: 'NullRate: texts that count as missing, in addition to NULL.',
      }),
    ),
    min: Type.Optional(nullable(bound)),
    max: Type.Optional(nullable(bound)),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'Pattern: regular expression that must match a part of the value.',
      }),
    ),
    values: Type.Optional(Type.Array(value, { minItems: 1, maxItems: 1_000 })),
    schema: Type.Optional(
      Type.String({ maxLength: nameLengthMax, description: 'Referential: the other table.' }),
    ),
    table: Type.Optional(NonBlank(nameLengthMax)),
    columns: Type.Optional(
      Type.Array(NonBlank(nameLengthMax), {
        minItems: 1,
        maxItems: 16,
        description: 'Referential: columns of the other table, in the order of the columns of the rule.',
      }),
    ),
    countsNulls: Type.Optional(
      Type.Boolean({ description: 'Uniqueness: rows with a NULL in the key are compared, too.' }),
    ),
    expected: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: NonBlank(nameLengthMax),
            databaseType: Type.Optional(nullable(NonBlank(nameLengthMax))),
            isNullable: Type.Optional(
              nullable(Type.Boolean({ description: 'False: the column must not accept NULL.' })),
            ),
          },
          listingMembers,
        ),
        { minItems: 1, maxItems: 1_000, description: 'Schema: columns that the table must have.' },
      ),
    ),
    sql: Type.Optional(NonBlank(100_000)),
    kind: Type.Optional(wordOf(customSqlKinds)),
  },
  { description: 'Settings of the rule type.', ...listingMembers },
);
export type RuleConfig = Static<typeof Config>;

const threshold = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const definition = {
  name: NonBlank(nameLengthMax),
  type: wordOf(ruleTypes),
  columns: Type.Array(NonBlank(nameLengthMax), { maxItems: 16 }),
  config: Config,
  severity: wordOf(ruleSeverities),
  weight: Type.Number({ minimum: 0.1, maximum: 10 }),
  unit: wordOf(ruleUnits),
  warnAbove: nullable(threshold),
  failAbove: threshold,
  isEnabled: Type.Boolean(),
};

export const ContractRule = Type.Object({ id: Id, ...definition });
export type ContractRule = Static<typeof ContractRule>;

/** Defaults: no columns, no configuration, `Medium`, 1, `Rows`, no warning, fails above 0, enabled. */
export const ContractRuleInput = Type.Object(
  {
    id: Type.Optional(Id),
    name: definition.name,
    type: definition.type,
    columns: Type.Optional(definition.columns),
    config: Type.Optional(definition.config),
    severity: Type.Optional(definition.severity),
    weight: Type.Optional(definition.weight),
    unit: Type.Optional(definition.unit),
    warnAbove: Type.Optional(definition.warnAbove),
    failAbove: Type.Optional(definition.failAbove),
    isEnabled: Type.Optional(definition.isEnabled),
  },
  listingMembers,
);
export type ContractRuleInput = Static<typeof ContractRuleInput>;
