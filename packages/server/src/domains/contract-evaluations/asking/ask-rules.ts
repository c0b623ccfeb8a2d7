import type { RunSqlRefusal } from '../../../doors/run-sql/index.ts';
import {
  countStatement,
  countsRows,
  decideRule,
  type Finding,
  isAggregate,
  type RuleDefinition,
  type RuleVerdict,
  type ScannedRule,
  sampleStatement,
  scannedRules,
  scanStatement,
} from '../../contract-rules/index.ts';
import { askCustomSql, askSchema } from './ask-others.ts';
import {
  type AskDeps,
  ask,
  askNumbers,
  isOfSource,
  type RuleSource,
  refusalOf,
  type Sample,
} from './source.ts';

/** A rule, how it stands, and rows that broke it. */
export type RuleResult = RuleVerdict & { readonly rule: RuleDefinition; readonly sample: Sample | null };

type Found = { readonly finding: Finding; readonly sample?: Sample | null };

/**
 * Asks a data source about rules of one table: aggregate rules in one walk, singly when that fails, others by statements
 * of their own. What cannot be asked is an Error of its rule and says nothing of the data.
 *
 * @throws the reason of the signal when it is aborted.
 */
export async function askRules(
  deps: AskDeps,
  source: RuleSource,
  rules: readonly RuleDefinition[],
  { keepsSamples }: { readonly keepsSamples: boolean },
): Promise<RuleResult[]> {
  const found = await scan(deps, source, rules.filter(isAggregate));
  const results: RuleResult[] = [];
  for (const rule of rules) {
    source.signal.throwIfAborted();
    const { finding, sample = null } = found.findings.get(rule) ?? (await askOne(deps, source, rule, found));
    const verdict = decideRule(rule, finding);
    const isBroken = keepsSamples && (verdict.outcome === 'Failed' || verdict.outcome === 'Warned');
    results.push({
      ...verdict,
      rule,
      sample: isBroken ? (sample ?? (await sampleOf(deps, source, rule))) : null,
    });
  }
  return results;
}

type Scanned = {
  readonly findings: ReadonlyMap<RuleDefinition, Found>;
  /** Rows of the table; undefined where they could not be counted. */
  readonly total: number | undefined;
  /** Why nothing of the source can be asked. */
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

/** One rule that cannot be asked takes the others of its walk along: each is asked by itself. */
async function scanSingly(
  deps: AskDeps,
  source: RuleSource,
  rules: readonly RuleDefinition[],
): Promise<Scanned> {
  const findings = new Map<RuleDefinition, Found>();
  let total: number | undefined;
  for (const rule of rules) {
    const found = await orError(source, async () => {
      const [counted, ...numbers] = await askNumbers(deps, source, countStatement(rule, source));
      total = counted ?? 0;
      return { finding: findingOf(rule, scannedRules([rule], numbers)[0], counted) };
    });
    findings.set(rule, found);
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

/** The same of a statement that somebody wrote, with the place in it for an editor. */
const errorInText = ({ message, position }: RunSqlRefusal): Finding => ({
  kind: 'Error',
  message: position ? `${message} (line ${position.line}, column ${position.column})` : message,
});

function findingOf(
  rule: RuleDefinition,
  { count, unjudged }: ScannedRule = { count: undefined, unjudged: undefined },
  rows: number | null | undefined,
): Finding {
  const total = rows ?? 0;
  if (rule.type === 'Volume') return { kind: 'Volume', total };
  if (Number.isNaN(count) || Number.isNaN(unjudged))
    return { kind: 'Error', message: 'The column holds personal data, so that its age is masked.' };
  if (rule.type === 'Freshness')
    return { kind: 'Age', seconds: count ?? null, unjudged: unjudged ?? 0, total };
  return { kind: 'Rows', failing: count ?? 0, total };
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
    const [, failing] = await askNumbers(deps, source, countStatement(rule, source));
    return { finding: { kind: 'Rows', failing: failing ?? 0, total: total ?? 0 } };
  });
}

/** Rows that broke the rule; null where there are none to show, or where they cannot be had. */
async function sampleOf(deps: AskDeps, source: RuleSource, rule: RuleDefinition): Promise<Sample | null> {
  if (rule.type === 'Volume' || rule.type === 'CustomSql' || rule.type === 'Schema') return null;
  try {
    const { columns, rows } = await ask(deps, source, sampleStatement(rule, source));
    return rows.length > 0 ? { columns, rows } : null;
  } catch (error) {
    refusalOf(error, source.signal);
    return null;
  }
}
