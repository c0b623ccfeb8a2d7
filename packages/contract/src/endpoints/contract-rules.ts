import { type Static, Type } from 'typebox';
import { FiniteNumber, Id, NonBlank, nullable, wordOf } from '../shapes.ts';

/** What a rule asks of a table. */
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
 * Importance of a rule: colour, order, and the quiet hours that a Critical rule may pass. With `failsOn: Score` it also
 * weighs the score, and a Critical rule that fails or cannot be judged decides the evaluation.
 */
export const ruleSeverities = ['Critical', 'High', 'Medium', 'Low'] as const;
export type RuleSeverity = (typeof ruleSeverities)[number];

/** In what the thresholds of a rule count failing rows. */
export const ruleUnits = ['Rows', 'Percent'] as const;
export type RuleUnit = (typeof ruleUnits)[number];

/** How a rule stood. `Error`: it could not be asked, which says nothing of the data. */
export const ruleOutcomes = ['Passed', 'Warned', 'Failed', 'Error'] as const;
export type RuleOutcome = (typeof ruleOutcomes)[number];

/**
 * Results that fail a contract. `AnyRule`: a failed rule, or a score under `failScore`. `Score`: a failed Critical rule, or
 * a score under `failScore`, weighted by severity; contracts of earlier versions keep it.
 */
export const failureConditions = ['AnyRule', 'Score'] as const;
export type FailureCondition = (typeof failureConditions)[number];

/** `EveryFailure`: each scheduled evaluation that fails is told. `OnChange`: once that it fails, and that it no longer does. */
export const alertModes = ['EveryFailure', 'OnChange'] as const;
export type AlertMode = (typeof alertModes)[number];

/** `Verdict`: one row says whether all is well. `FailingRows`: each row is one that should not be. */
export const customSqlKinds = ['Verdict', 'FailingRows'] as const;
export type CustomSqlKind = (typeof customSqlKinds)[number];

const nameLengthMax = 200;
const rowCount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const minutes = Type.Integer({ minimum: 1, maximum: 5_256_000 });
const bound = Type.Union([FiniteNumber, NonBlank(100)], {
  description: 'A number, or a time as `YYYY-MM-DD` or RFC 3339.',
});
const value = Type.Union([Type.String({ maxLength: 1_000 }), FiniteNumber]);

/** A refusal of an unknown member names the known ones. */
const listingMembers = { 'x-lists-members': true };

/** Members that belong to another type of rule are refused. */
const Config = Type.Object(
  {
    maxAgeMinutes: Type.Optional(Type.Integer({ ...minutes, description: 'Freshness: older fails.' })),
    warnAgeMinutes: Type.Optional(
      nullable(Type.Integer({ ...minutes, description: 'Freshness: older warns.' })),
    ),
    futureToleranceMinutes: Type.Optional(
      nullable(
        Type.Integer({
          ...minutes,
          minimum: 0,
          description:
            'Freshness: how far in the future a time may be and still be judged. Later times are counted apart. Default: 5, for columns of days 1440.',
        }),
      ),
    ),
    emptyPasses: Type.Optional(Type.Boolean({ description: 'Freshness: a table without rows is fresh.' })),
    minRows: Type.Optional(nullable(rowCount)),
    maxRows: Type.Optional(nullable(rowCount)),
    missingValues: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000 }), {
        maxItems: 100,
        description: 'NullRate: texts that count as missing, beside NULL.',
      }),
    ),
    min: Type.Optional(nullable(bound)),
    max: Type.Optional(nullable(bound)),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'Pattern: a part of the value has to match.',
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
        description: 'Referential: the other columns, in the order of those of the rule.',
      }),
    ),
    countsNulls: Type.Optional(
      Type.Boolean({ description: 'Uniqueness: rows whose key holds a NULL are compared as well.' }),
    ),
    expected: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: NonBlank(nameLengthMax),
            databaseType: Type.Optional(nullable(NonBlank(nameLengthMax))),
            isNullable: Type.Optional(nullable(Type.Boolean({ description: 'False: it must refuse NULL.' }))),
          },
          listingMembers,
        ),
        { minItems: 1, maxItems: 1_000, description: 'Schema: the columns that have to be there.' },
      ),
    ),
    sql: Type.Optional(NonBlank(100_000)),
    kind: Type.Optional(wordOf(customSqlKinds)),
  },
  { description: 'What the type of the rule needs to know.', ...listingMembers },
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
