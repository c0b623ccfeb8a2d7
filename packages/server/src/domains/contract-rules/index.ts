export { faultsOf } from './faults.ts';
export { type RuleDefinition, ruleOf } from './rule.ts';
