import type { RunSqlRefusal } from '../../../gateways/run-sql/index.ts';
import {
  countStatement,
  countsRows,
  decideRule,
  type Finding,
  isAggregate,
  type RuleDefinition,
  type RuleVerdict,
  type ScannedRule,
  scannedRules,
  scanStatement,
} from '../../contract-rules/index.ts';
import { askCustomSql, askSchema } from './ask-others.ts';
import { sampleOf } from './sample.ts';
import { type AskDeps, askNumbers, isOfSource, type RuleSource, refusalOf, type Sample } from './source.ts';

/** The verdict of a rule, with a sample of failing rows. */
export type RuleResult = RuleVerdict & {
  readonly rule: RuleDefinition;
  readonly sample: Sample | null;
  /** Text that explains why a failed rule has no sample; null for others. */
  readonly sampleReason: string | null;
};

type Found = { readonly finding: Finding; readonly sample?: Sample | null };

/**
 * Evaluates the rules of one table. Aggregate rules share one scan and run separately if it fails; other rules have their
 * own statements. A rule that cannot be evaluated gets the outcome Error, which says nothing about the data.
 *
 * @throws the reason of the signal if it is aborted.
 */
export async function askRules(
  deps: AskDeps,
  source: RuleSource,
  rules: readonly RuleDefinition[],
  { keepsSamples }: { readonly keepsSamples: boolean },
): Promise<RuleResult[]> {
  const scanResult = await scan(deps, source, rules.filter(isAggregate));
  const results: RuleResult[] = [];
  for (const rule of rules) {
    source.signal.throwIfAborted();
    const { finding, sample = null } =
      scanResult.findings.get(rule) ?? (await askOne(deps, source, rule, scanResult));
    const verdict = decideRule(rule, finding);
    const isBroken = verdict.outcome === 'Failed' || verdict.outcome === 'Warned';
    const sampled = isBroken
      ? await sampleOf(deps, source, rule, { keepsSamples, sample })
      : { sample: null, sampleReason: null };
    results.push({ ...verdict, rule, ...sampled });
  }
  return results;
}

type Scanned = {
  readonly findings: ReadonlyMap<RuleDefinition, Found>;
  /** Number of rows of the table. Undefined if they could not be counted. */
  readonly total: number | undefined;
  /** Refusal that applies to all statements of the source. */
  readonly away: RunSqlRefusal | undefined;
};

async function scan(deps: AskDeps, source: RuleSource, rules: readonly RuleDefinition[]): Promise<Scanned> {
  try {
    const [total, ...numbers] = await askNumbers(deps, source, scanStatement(rules, source));
    const scanned = scannedRules(rules, numbers);
    const findings = new Map(
      rules.map((rule, at) => [rule, { finding: findingOf(rule, scanned[at], total) }]),
    );
    return { findings, total: total ?? 0, away: undefined };
  } catch (error) {
    const refusal = refusalOf(error, source.signal);
    if (isOfSource(refusal)) return { findings: new Map(), total: undefined, away: refusal };
    return scanSingly(deps, source, rules);
  }
}

/** Runs aggregate rules separately after their common scan failed, because one invalid rule fails the scan. */
async function scanSingly(
  deps: AskDeps,
  source: RuleSource,
  rules: readonly RuleDefinition[],
): Promise<Scanned> {
  const findings = new Map<RuleDefinition, Found>();
  let total: number | undefined;
  for (const rule of rules) {
    const result = await orError(source, async () => {
      const [counted, ...numbers] = await askNumbers(deps, source, countStatement(rule, source));
      total = counted ?? 0;
      return { finding: findingOf(rule, scannedRules([rule], numbers)[0], counted) };
    });
    findings.set(rule, result);
  }
  if (total === undefined && rules.length > 0)
    await orError(source, async () => {
      [total = 0] = (await askNumbers(deps, source, scanStatement([], source))).map((value) => value ?? 0);
      return undefined;
    });
  return { findings, total, away: undefined };
}

async function orError<T>(
  source: RuleSource,
  work: () => Promise<T>,
  tell = errorOf,
): Promise<T | { finding: Finding }> {
  try {
    return await work();
  } catch (error) {
    return { finding: tell(refusalOf(error, source.signal)) };
  }
}

const errorOf = ({ message }: RunSqlRefusal): Finding => ({ kind: 'Error', message });

/** Converts the error of a user's statement into a finding with its position for an editor. */
const errorInText = ({ message, position }: RunSqlRefusal): Finding => ({
  kind: 'Error',
  message: position ? `${message} (line ${position.line}, column ${position.column})` : message,
});

const noNumber: Finding = { kind: 'Error', message: 'The database returned no number for the rule.' };

/** Returns true for a number of a scan. NaN means that the number is masked. */
const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number' && !Number.isNaN(value);

function findingOf(
  rule: RuleDefinition,
  { count, unjudged }: ScannedRule = { count: undefined, unjudged: undefined },
  total: number | null | undefined,
): Finding {
  if (!isNumber(total)) return noNumber;
  if (rule.type === 'Volume') return { kind: 'Volume', total };
  if (rule.type !== 'Freshness') return isNumber(count) ? { kind: 'Rows', failing: count, total } : noNumber;
  if (Number.isNaN(count) || Number.isNaN(unjudged))
    return { kind: 'Error', message: 'The column holds personal data, so that its age is masked.' };
  if (count === undefined || !isNumber(unjudged)) return noNumber;
  return { kind: 'Age', seconds: count, unjudged, total };
}

async function askOne(
  deps: AskDeps,
  source: RuleSource,
  rule: RuleDefinition,
  { total, away }: Scanned,
): Promise<Found> {
  if (away) return { finding: errorOf(away) };
  if (total === undefined && countsRows(rule))
    return { finding: { kind: 'Error', message: 'The rows of the table could not be counted.' } };
  if (rule.type === 'CustomSql')
    return orError(source, () => askCustomSql(deps, source, rule, total ?? 0), errorInText);
  return orError(source, async () => {
    if (rule.type === 'Schema') return askSchema(deps, source, rule);
    const [, count] = await askNumbers(deps, source, countStatement(rule, source));
    return { finding: findingOf(rule, { count, unjudged: undefined }, total) };
  });
}
