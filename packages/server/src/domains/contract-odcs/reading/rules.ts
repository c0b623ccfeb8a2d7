import type { TableMetadata } from '@svc/connectors';
import { ContractRuleInput, plural } from '@svc/contract';
import { bodyValidator, closed } from '../../../platform/http/index.ts';
import { faultsOf, ruleOf } from '../../contract-rules/index.ts';
import type { JsonObject } from '../json.ts';
import type { Report } from './report.ts';

/** A rule that was read from a document. */
export type FoundRule = {
  readonly path: string;
  readonly rule: ContractRuleInput;
  readonly position: number | undefined;
  readonly rest: JsonObject;
};

const validate = bodyValidator(closed(ContractRuleInput));
const rulesMax = 200;

/** Returns the rules that are valid for the table, in their order. Reports the others as refused. */
export function fittingRules(
  rules: readonly FoundRule[],
  context: {
    readonly engine: string;
    /** Undefined: the table does not exist yet. */
    readonly table: TableMetadata | undefined;
    readonly tables: readonly TableMetadata[];
  },
  report: Report,
): FoundRule[] {
  const find = (schema: string, name: string) =>
    context.tables.find((each) => each.schema === schema && each.name === name);
  const fitting = rules.filter(({ path, rule }) => {
    const fault = validate(rule);
    const [misfit] = fault === undefined ? faultsOf([ruleOf(rule)], { ...context, find }) : [];
    const note = fault ?? (misfit && `${misfit.path.replace('/rules/0/', '')} ${misfit.message}`);
    if (note === undefined) return true;
    report.refused.push({ path, note });
    return false;
  });
  // Rules of an exported document retain their order.
  const last = Number.MAX_SAFE_INTEGER;
  fitting.sort((one, other) => (one.position ?? last) - (other.position ?? last));
  for (const { path } of fitting.slice(rulesMax))
    report.refused.push({ path, note: `is more than ${plural(rulesMax, 'rule')}` });
  const taken = fitting.slice(0, rulesMax);
  for (const { path, rule } of taken) report.read.push({ path, note: `${rule.type}: ${rule.name}` });
  return taken;
}
