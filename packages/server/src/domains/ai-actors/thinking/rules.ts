import type { RuleConfig } from '@svc/contract';
import { type RuleDefinition, ruleOf } from '../../contract-rules/index.ts';
import type { ProposedRule } from './actions.ts';
import type { ModelRule } from './prompt.ts';

/** The members that belong to the type of a rule; all others of a model are left behind. */
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

/** Rules as they are proposed: of the types that hold no SQL of anybody's, with defaults for all that weighs. */
export const rulesOf = (rules: readonly ModelRule[]): (ProposedRule & RuleDefinition)[] =>
  rules.map((rule) => {
    const config = configOf(rule);
    const name = rule.name.trim() || rule.type;
    const { type, columns } = rule;
    return { ...ruleOf({ name, type, columns: [...columns], config }), type, columns: [...columns], config };
  });
