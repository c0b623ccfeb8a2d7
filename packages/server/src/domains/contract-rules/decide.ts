import { type EvaluationFailure, type FailureCondition, plural, type RuleSeverity } from '@svc/contract';
import { countsRows, type RuleDefinition } from './rule.ts';

export const ruleOutcomes = ['Passed', 'Warned', 'Failed', 'Error'] as const;
export type RuleOutcome = (typeof ruleOutcomes)[number];

/** Measurement of a rule. */
export type Finding =
  /** Number of failing rows and of all rows. */
  | { readonly kind: 'Rows'; readonly failing: number; readonly total: number }
  /**
   * Seconds since the newest valid time. Null if no row has one. `unjudged` counts rows with a time in the future or an
   * invalid time.
   */
  | {
      readonly kind: 'Age';
      readonly seconds: number | null;
      readonly unjudged: number;
      readonly total: number;
    }
  | { readonly kind: 'Volume'; readonly total: number }
  /** Differences from the expected columns. */
  | { readonly kind: 'Schema'; readonly differences: readonly string[] }
  | {
      readonly kind: 'Verdict';
      readonly passed: boolean;
      readonly failing: number | null;
      readonly total: number | null;
      readonly message: string | null;
    }
  /** The rule could not be evaluated. This says nothing about the data. */
  | { readonly kind: 'Error'; readonly message: string };

/** Verdict on a rule. */
export type RuleVerdict = {
  readonly outcome: RuleOutcome;
  /** 0 to 100; null if the rule could not be judged. */
  readonly score: number | null;
  readonly failing: number | null;
  readonly total: number | null;
  readonly message: string | null;
};

const all = 100;
const scoreDecimals = 9;

/** Removes the error of binary fractions, so that a score can equal a limit that is written in decimals. */
const decimal = (value: number): number => Number(value.toFixed(scoreDecimals));

/** Decides the verdict of a rule from its measurement. */
export function decideRule(rule: RuleDefinition, finding: Finding): RuleVerdict {
  switch (finding.kind) {
    case 'Error':
      return { outcome: 'Error', score: null, failing: null, total: null, message: finding.message };
    case 'Rows':
      return decideRows(rule, finding);
    case 'Age':
      return decideAge(rule, finding);
    case 'Volume':
      return decideVolume(rule, finding.total);
    case 'Schema': {
      const { differences } = finding;
      const message = differences.length > 0 ? differences.join(' ') : null;
      return { ...whole(differences.length === 0), failing: differences.length, total: null, message };
    }
    case 'Verdict':
      return {
        ...whole(finding.passed),
        failing: finding.failing,
        total: finding.total,
        message: finding.message,
      };
  }
}

const whole = (isPassed: boolean): Pick<RuleVerdict, 'outcome' | 'score'> =>
  isPassed ? { outcome: 'Passed', score: all } : { outcome: 'Failed', score: 0 };

function decideRows(
  rule: RuleDefinition,
  { failing, total }: { failing: number; total: number },
): RuleVerdict {
  if (!countsRows(rule)) throw new TypeError(`A rule of type ${rule.type} counts no rows.`);
  // Multiplied before the division: 7 of 100 rows are exactly 7 percent.
  const percent = total === 0 ? 0 : (all * Math.min(failing, total)) / total;
  const measured = rule.unit === 'Percent' ? percent : failing;
  const outcome =
    measured > rule.failAbove
      ? 'Failed'
      : rule.warnAbove !== null && measured > rule.warnAbove
        ? 'Warned'
        : 'Passed';
  return { outcome, score: decimal(all - percent), failing, total, message: null };
}

function decideAge(
  { config }: RuleDefinition,
  { seconds, unjudged, total }: Extract<Finding, { kind: 'Age' }>,
): RuleVerdict {
  const texts = unjudged === 0 ? [] : [unjudgedText(unjudged)];
  if (seconds === null) {
    const message = total === 0 ? 'The table has no rows.' : 'No row has a time.';
    const isFresh = config.emptyPasses === true && unjudged === 0;
    return { ...whole(isFresh), failing: null, total, message: texts[0] ?? message };
  }
  const ageMinutes = Math.max(Math.floor(seconds / 60), 0);
  const message = [`The newest row is ${plural(ageMinutes, 'minute')} old.`, ...texts].join(' ');
  const judged = { failing: null, total, message };
  if (seconds > (config.maxAgeMinutes ?? 0) * 60) return { ...whole(false), ...judged };
  const isOld = config.warnAgeMinutes != null && seconds > config.warnAgeMinutes * 60;
  return { outcome: isOld ? 'Warned' : 'Passed', score: all, ...judged };
}

const unjudgedText = (rows: number): string =>
  `${plural(rows, 'row has', 'rows have')} a time that cannot be judged: it is in the future or no real time.`;

function decideVolume({ config }: RuleDefinition, total: number): RuleVerdict {
  const { minRows, maxRows } = config;
  const isOutside = (minRows != null && total < minRows) || (maxRows != null && total > maxRows);
  return { ...whole(!isOutside), failing: null, total, message: `The table has ${plural(total, 'row')}.` };
}

export const evaluationOutcomes = ['Passed', 'Warned', 'Failed', 'Error'] as const;
export type EvaluationOutcome = (typeof evaluationOutcomes)[number];

const factors: Readonly<Record<RuleSeverity, number>> = { Critical: 4, High: 3, Medium: 2, Low: 1 };

export type JudgedRule = Pick<RuleDefinition, 'severity' | 'weight'> & Pick<RuleVerdict, 'outcome' | 'score'>;

/** Returns the mean score of the judged rules, weighted by `weightOf`. Null: no rule was judged. */
function meanScore(rules: readonly JudgedRule[], weightOf: (rule: JudgedRule) => number): number | null {
  let sum = 0;
  let weights = 0;
  for (const rule of rules) {
    if (rule.score === null) continue;
    sum += rule.score * weightOf(rule);
    weights += weightOf(rule);
  }
  return weights === 0 ? null : decimal(sum / weights);
}

/** Weights of a failure condition, and the outcomes of single rules that decide the evaluation. */
type Condition = {
  readonly weightOf: (rule: JudgedRule) => number;
  readonly decides: (rule: JudgedRule) => boolean;
  /** Precedence of a failed and an unjudged rule. */
  readonly first: 'Failed' | 'Error';
  /** Name of a failure by a deciding rule. */
  readonly failure: EvaluationFailure;
};

const conditions: Readonly<Record<FailureCondition, Condition>> = {
  AnyRule: { weightOf: ({ weight }) => weight, decides: () => true, first: 'Failed', failure: 'RuleFailed' },
  Score: {
    weightOf: ({ severity, weight }) => weight * factors[severity],
    decides: ({ severity }) => severity === 'Critical',
    first: 'Error',
    failure: 'CriticalRuleFailed',
  },
};

export type ScoreLimits = {
  readonly failsOn: FailureCondition;
  readonly warnScore: number;
  readonly failScore: number;
};

/** Returns the condition by which an evaluation failed: a failed rule before the score. Null: no condition is met. */
export function failureOf(
  rules: readonly JudgedRule[],
  { failsOn, failScore }: ScoreLimits,
): EvaluationFailure | null {
  const { weightOf, decides, failure } = conditions[failsOn];
  if (rules.some((rule) => rule.outcome === 'Failed' && decides(rule))) return failure;
  const score = meanScore(rules, weightOf);
  return score !== null && score < failScore ? 'ScoreTooLow' : null;
}

/** Decides the outcome of an evaluation. `Error` says nothing about the data: no rule, or a deciding rule, was not judged. */
export function decideEvaluation(
  rules: readonly JudgedRule[],
  { failsOn, warnScore, failScore }: ScoreLimits,
): { readonly outcome: EvaluationOutcome; readonly score: number | null } {
  const { weightOf, decides, first } = conditions[failsOn];
  const score = meanScore(rules, weightOf);
  const hasDecisive = (outcome: RuleOutcome): boolean =>
    rules.some((rule) => rule.outcome === outcome && decides(rule));
  const isUnjudged = score === null || hasDecisive('Error');
  const isFailed = failureOf(rules, { failsOn, warnScore, failScore }) !== null;
  if (isUnjudged && (first === 'Error' || !isFailed)) return { outcome: 'Error', score };
  if (isFailed) return { outcome: 'Failed', score };
  const isClean = rules.every(({ outcome }) => outcome === 'Passed');
  return { outcome: isClean && (score ?? 0) >= warnScore ? 'Passed' : 'Warned', score };
}
