export type { RuleStatement } from './binder.ts';
export type { Target } from './conditions.ts';
export { decideEvaluation, decideRule, type Finding, failureOf, type RuleVerdict } from './decide.ts';
export { faultsOf } from './faults.ts';
export { countsRows, isAggregate, type RuleDefinition, ruleOf } from './rule.ts';
export { differencesFrom } from './schema-rule.ts';
export {
  countStatement,
  type ScannedRule,
  sampleRowsMax,
  sampleStatements,
  scannedRules,
  scanStatement,
} from './statements.ts';
