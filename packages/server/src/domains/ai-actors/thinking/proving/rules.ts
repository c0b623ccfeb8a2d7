import type { RuleConfig } from '@svc/contract';
import { type RuleDefinition, ruleOf } from '../../../contract-rules/index.ts';
import type { ProposedRule } from '../actions.ts';
import type { ModelRule } from '../prompt.ts';

/** Returns the members that belong to the type of a rule. Other members of the model's answer are dropped. */
function configOf(rule: ModelRule): RuleConfig {
  switch (rule.type) {
    case 'Freshness':
      return rule.maxAgeMinutes === null ? {} : { maxAgeMinutes: rule.maxAgeMinutes };
    case 'Volume':
      return { minRows: rule.minRows, maxRows: rule.maxRows };
    case 'Range':
      return { min: rule.min, max: rule.max };
    case 'AcceptedValues':
      return { values: [...rule.values] };
    case 'NullRate':
    case 'Uniqueness':
      return {};
  }
}

/** Converts proposed rules. Their types contain no SQL. Severity, weight and thresholds get their defaults. */
export const rulesOf = (rules: readonly ModelRule[]): (ProposedRule & RuleDefinition)[] =>
  rules.map((rule) => {
    const config = configOf(rule);
    const name = rule.name.trim() || rule.type;
    const { type, columns } = rule;
    return { ...ruleOf({ name, type, columns: [...columns], config }), type, columns: [...columns], config };
  });
