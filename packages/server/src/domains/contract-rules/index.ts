export type { RuleStatement } from './binder.ts';
export type { Target } from './conditions.ts';
export { faultsOf } from './faults.ts';
export { type Finding, judgeEvaluation, judgeRule, type RuleVerdict } from './judge.ts';
export { countsRows, isAggregate, type RuleDefinition, ruleOf } from './rule.ts';
export { differencesFrom } from './schema-rule.ts';
export { countStatement, sampleRowsMax, sampleStatement, scanStatement } from './statements.ts';
