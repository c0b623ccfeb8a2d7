import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { BigId, Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { ContractRuleInput, ruleOutcomes, ruleSeverities, ruleTypes } from './contract-rules.ts';
import { contractsPath } from './data-contracts.ts';

const tag = 'data quality';

/** States and outcomes of an evaluation. */
export const evaluationStatuses = ['Queued', 'Running', ...ruleOutcomes] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

/** Reasons why no rule of a contract was evaluated. `TableUnknown`: the data source does not have the table. */
export const evaluationReasons = [
  'SourceNotLinked',
  'SourceUnreachable',
  'TableUnknown',
  'ContractGone',
  'Cancelled',
  'Interrupted',
] as const;
export type EvaluationReason = (typeof evaluationReasons)[number];

/** Conditions that fail an evaluation. A failed rule takes precedence over a low score. */
export const evaluationFailures = ['RuleFailed', 'CriticalRuleFailed', 'ScoreTooLow'] as const;
export type EvaluationFailure = (typeof evaluationFailures)[number];

const score = nullable(
  Type.Number({ minimum: 0, maximum: 100, description: 'Null: no rule could be evaluated.' }),
);
const count = nullable(Type.Integer({ minimum: 0 }));

const Sample = Type.Object(
  {
    columns: Type.Array(Type.String()),
    rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]))),
  },
  { description: 'At most 20 rows that broke the rule, with personal data masked.' },
);

const found = {
  name: Type.String(),
  type: wordOf(ruleTypes),
  severity: wordOf(ruleSeverities),
  outcome: wordOf(ruleOutcomes),
  score,
  failing: count,
  total: count,
  message: nullable(Type.String()),
  sample: nullable(Sample),
  sampleReason: nullable(
    Type.String({ description: 'Reason why a failed or warned rule has no sample; null for other rules.' }),
  ),
};

export const RuleResult = Type.Object({ ruleId: Id, ...found });
export type RuleResult = Static<typeof RuleResult>;

const evaluation = {
  id: BigId,
  contractId: Id,
  createdTime: Time,
  trigger: wordOf(['Schedule', 'Manual']),
  status: wordOf(evaluationStatuses),
  reason: nullable(wordOf(evaluationReasons)),
  failedBecause: nullable(wordOf(evaluationFailures), {
    description:
      'Reason why a `Failed` evaluation failed. Null for other evaluations, and for evaluations by earlier versions of the service.',
  }),
  score,
  failScore: nullable(Type.Number(), {
    description:
      'Score below which the evaluation fails. It is also set if the evaluation passed. Null: the rules did not run, or an earlier version evaluated it.',
  }),
  totalRows: count,
  startedByUserName: nullable(Type.String()),
  startedAt: nullable(Time),
  finishedAt: nullable(Time),
};
export const ContractEvaluation = Type.Object(evaluation);
export type ContractEvaluation = Static<typeof ContractEvaluation>;

export const ContractEvaluationDetail = Type.Object({ ...evaluation, results: Type.Array(RuleResult) });
export type ContractEvaluationDetail = Static<typeof ContractEvaluationDetail>;

export const evaluateDataContract = defineEndpoint({
  operationId: 'evaluateDataContract',
  tag,
  summary: 'Evaluates a data contract now and notifies no recipients',
  method: 'POST',
  path: `${contractsPath}/{id}/evaluate`,
  params: IdParams,
  responses: { 202: Type.Object({ evaluationId: BigId, jobId: Type.String({ format: 'uuid' }) }) },
  sends: ['Location'],
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'An evaluation of this contract is queued or running.' },
});

/** Sort names: `createdTime`, `score`; default `-createdTime`. */
export const listContractEvaluations = defineEndpoint({
  operationId: 'listContractEvaluations',
  tag,
  summary: 'Evaluations of a data contract, newest first',
  method: 'GET',
  path: `${contractsPath}/{id}/evaluations`,
  params: IdParams,
  query: Type.Object({ ...listQuery, status: Type.Optional(wordOf(evaluationStatuses)) }),
  responses: { 200: pageOf(ContractEvaluation) },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getContractEvaluation = defineEndpoint({
  operationId: 'getContractEvaluation',
  tag,
  summary: 'One evaluation with the result of each rule and sample rows that broke it',
  method: 'GET',
  path: `${contractsPath}/{id}/evaluations/{evaluationId}`,
  params: Type.Object({ id: Id, evaluationId: BigId }),
  responses: { 200: ContractEvaluationDetail },
  access: access.read({ project: 'readable' }),
});

const nameLengthMax = 200;

/** Rules of one check, at most. */
const checkedRulesMax = 20;

export const CheckContractRulesBody = Type.Object({
  projectId: Id,
  dataSourceId: Id,
  schemaName: Type.String({ maxLength: nameLengthMax }),
  tableName: NonBlank(nameLengthMax),
  rules: Type.Array(ContractRuleInput, { minItems: 1, maxItems: checkedRulesMax }),
});

export const checkContractRules = defineEndpoint({
  operationId: 'checkContractRules',
  tag,
  summary: 'Evaluates rules of a draft within 30 seconds and stores nothing',
  method: 'POST',
  path: `${contractsPath}/check`,
  body: CheckContractRulesBody,
  responses: { 200: Type.Object({ results: Type.Array(Type.Object(found)) }) },
  access: access.write({ project: 'writable' }),
  refusals: {
    400: 'A table, column or rule does not fit the metadata of the data source.',
    403: 'A rule contains custom SQL, and the caller is not an Admin.',
    404: 'The project or the data source does not exist.',
  },
});

const Table = Type.Object({
  dataSourceId: Id,
  dataSourceName: Type.String(),
  schemaName: Type.String(),
  tableName: Type.String(),
  contractCount: Type.Integer({ minimum: 1 }),
  score: nullable(
    Type.Number({ description: 'Lowest score of the contracts of the table; null: none has a score.' }),
  ),
});

const contractCount = Type.Integer({ minimum: 0 });
export const DataQualityOverview = Type.Object({
  contractCount,
  passedCount: contractCount,
  warnedCount: contractCount,
  failedCount: contractCount,
  errorCount: contractCount,
  unevaluatedCount: contractCount,
  tables: Type.Array(Table, { description: 'At most 100 tables, the worst first.' }),
});
export type DataQualityOverview = Static<typeof DataQualityOverview>;

export const getDataQualityOverview = defineEndpoint({
  operationId: 'getDataQualityOverview',
  tag,
  summary: 'State of the data contracts of the readable projects',
  method: 'GET',
  path: '/svc/api/data-quality/overview',
  responses: { 200: DataQualityOverview },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});
