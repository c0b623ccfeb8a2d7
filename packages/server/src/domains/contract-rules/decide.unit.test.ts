import type { ContractRuleInput, RuleSeverity } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { decideEvaluation, decideRule, failureOf, type RuleVerdict } from './decide.ts';
import { ruleOf } from './rule.ts';

const rule = (more: Partial<ContractRuleInput> = {}) =>
  ruleOf({ name: 'One', type: 'NullRate', columns: ['a'], ...more });
const judged = (
  outcome: RuleVerdict['outcome'],
  score: number | null,
  severity: RuleSeverity = 'Medium',
) => ({
  outcome,
  score,
  severity,
  weight: 1,
});
const limits = { warnScore: 95, failScore: 80 };

describe('a rule that counts rows', () => {
  test.each([
    [{}, 0, 'Passed', 100],
    [{}, 1, 'Failed', 90],
    [{ warnAbove: 0, failAbove: 1 }, 1, 'Warned', 90],
    [{ warnAbove: 0, failAbove: 1 }, 2, 'Failed', 80],
    [{ unit: 'Percent', failAbove: 10 }, 1, 'Passed', 90],
    [{ unit: 'Percent', failAbove: 10 }, 2, 'Failed', 80],
    [{ unit: 'Percent', warnAbove: 5, failAbove: 10 }, 1, 'Warned', 90],
  ] as const)('with %j and %i of 10 rows failing is %s', (thresholds, failing, outcome, score) => {
    const verdict = decideRule(rule(thresholds), { kind: 'Rows', failing, total: 10 });
    expect(verdict).toEqual({ outcome, score, failing, total: 10, message: null });
  });

  test('computes exact shares: a share or a score equal to its limit does not fail', () => {
    for (let failing = 0; failing <= 100; failing += 1) {
      const verdict = decideRule(rule({ unit: 'Percent', failAbove: failing }), {
        kind: 'Rows',
        failing,
        total: 100,
      });
      expect(verdict).toMatchObject({ outcome: 'Passed', score: 100 - failing });
      const own = { ...verdict, severity: 'Medium', weight: 3 } as const;
      const limit = { failsOn: 'AnyRule', warnScore: 100 - failing, failScore: 100 - failing } as const;
      expect(decideEvaluation([own, own, own], limit)).toEqual({ outcome: 'Passed', score: 100 - failing });
    }
  });

  test('passes on a table without rows', () => {
    expect(decideRule(rule(), { kind: 'Rows', failing: 0, total: 0 })).toMatchObject({
      outcome: 'Passed',
      score: 100,
    });
  });
});

test('a mean score without a binary fraction equals the limit that is written in decimals', () => {
  const rules = [89.8, 90.1, 90.4].map((score) => judged('Passed', score));
  const limit = { failsOn: 'AnyRule', warnScore: 90.1, failScore: 90.1 } as const;
  expect(decideEvaluation(rules, limit)).toEqual({ outcome: 'Passed', score: 90.1 });
});

describe('a rule about the whole table, with the score 0 or 100', () => {
  const freshness = (config: NonNullable<ContractRuleInput['config']>) => rule({ type: 'Freshness', config });
  test.each([
    [{ maxAgeMinutes: 10 }, 600, 'Passed', 100],
    [{ maxAgeMinutes: 10 }, 601, 'Failed', 0],
    [{ maxAgeMinutes: 10, warnAgeMinutes: 5 }, 301, 'Warned', 100],
    [{ maxAgeMinutes: 10 }, null, 'Failed', 0],
    [{ maxAgeMinutes: 10, emptyPasses: true }, null, 'Passed', 100],
  ] as const)('Freshness with %j at %s seconds is %s', (config, seconds, outcome, score) => {
    expect(decideRule(freshness(config), { kind: 'Age', seconds, unjudged: 0, total: 0 })).toMatchObject({
      outcome,
      score,
    });
  });

  test.each([
    [{ maxAgeMinutes: 10 }, -240, 0, 'Passed', 'The newest row is 0 minutes old.'],
    [
      { maxAgeMinutes: 10 },
      60,
      2,
      'Passed',
      'The newest row is 1 minute old. 2 rows have a time that cannot be judged: it is in the future or no real time.',
    ],
    [
      { maxAgeMinutes: 10, emptyPasses: true },
      null,
      1,
      'Failed',
      '1 row has a time that cannot be judged: it is in the future or no real time.',
    ],
  ] as const)('Freshness with %j at %s seconds and %i invalid times is %s', (...row) => {
    const [config, seconds, unjudged, outcome, message] = row;
    const verdict = decideRule(freshness(config), { kind: 'Age', seconds, unjudged, total: 2 });
    expect(verdict).toMatchObject({ outcome, message });
  });

  test.each([
    [{ minRows: 3 }, 2, 'Failed'],
    [{ minRows: 3 }, 3, 'Passed'],
    [{ minRows: 0, maxRows: 3 }, 3, 'Passed'],
    [{ maxRows: 3 }, 4, 'Failed'],
  ] as const)('Volume with %j at %i rows is %s', (config, total, outcome) => {
    expect(decideRule(rule({ type: 'Volume', config }), { kind: 'Volume', total })).toMatchObject({
      outcome,
    });
  });
});

test('a rule that could not be executed has no score', () => {
  const verdict = decideRule(rule(), { kind: 'Error', message: 'Away.' });
  expect(verdict).toEqual({ outcome: 'Error', score: null, failing: null, total: null, message: 'Away.' });
});

describe('the reason of a failed evaluation', () => {
  const onAny = { ...limits, failsOn: 'AnyRule' } as const;
  const onScore = { ...limits, failsOn: 'Score' } as const;

  test.each([
    [
      'a critical rule at score 93.9',
      [judged('Failed', 0, 'Critical'), judged('Passed', 99)],
      onScore,
      'CriticalRuleFailed',
    ],
    [
      'a rule of a contract that fails on each rule',
      [judged('Failed', 99.9), judged('Passed', 100)],
      onAny,
      'RuleFailed',
    ],
    [
      'a low score without a critical rule',
      [judged('Failed', 10), judged('Passed', 20)],
      onScore,
      'ScoreTooLow',
    ],
    ['no condition', [judged('Failed', 95), judged('Passed', 100)], onScore, null],
  ] as const)('is the expected reason for %s', (_case, rules, by, failure) => {
    expect(failureOf(rules, by)).toBe(failure);
    expect(decideEvaluation(rules, by).outcome === 'Failed').toBe(failure !== null);
  });
});

describe('an evaluation that fails on any rule', () => {
  const anyRule = { ...limits, failsOn: 'AnyRule' } as const;
  const severities = ['Critical', 'High', 'Medium', 'Low'] as const;

  test.each(severities)('fails when a rule of severity %s fails, regardless of its score', (severity) => {
    const rules = [judged('Failed', 99.9, severity), judged('Passed', 100)];
    expect(decideEvaluation(rules, anyRule).outcome).toBe('Failed');
  });

  test.each(severities)('does not pass when a rule of severity %s could not be evaluated', (severity) => {
    const rules = [judged('Error', null, severity), judged('Passed', 100)];
    expect(decideEvaluation(rules, anyRule)).toEqual({ outcome: 'Error', score: 100 });
  });

  test.each([
    [
      'a rule failed and another could not be evaluated',
      [judged('Error', null), judged('Failed', 50)],
      'Failed',
      50,
    ],
    ['no rule could be evaluated', [judged('Error', null)], 'Error', null],
    ['a rule warns', [judged('Warned', 99), judged('Passed', 100)], 'Warned', 99.5],
    ['no rule failed and the score is too low', [judged('Passed', 70)], 'Failed', 70],
    ['the score warns', [judged('Passed', 90)], 'Warned', 90],
    ['all rules pass', [judged('Passed', 100), judged('Passed', 98)], 'Passed', 99],
  ] as const)('has the expected outcome and score where %s', (_case, rules, outcome, score) => {
    expect(decideEvaluation(rules, anyRule)).toEqual({ outcome, score });
  });

  test('has the same verdict and score for every severity', () => {
    const verdicts = severities.map((severity) =>
      decideEvaluation([judged('Warned', 40, severity), judged('Passed', 100, 'Medium')], anyRule),
    );
    expect(new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size).toBe(1);
  });

  test('weights the score of each rule by its weight', () => {
    const rules = [{ ...judged('Passed', 100), weight: 3 }, judged('Passed', 0, 'Critical')];
    expect(decideEvaluation(rules, anyRule).score).toBe(75);
  });
});

describe('an evaluation that fails on its score', () => {
  const byScore = { ...limits, failsOn: 'Score' } as const;
  test.each([
    ['no rule could be evaluated', [judged('Error', null)], 'Error', null],
    [
      'a Critical rule could not be evaluated',
      [judged('Error', null, 'Critical'), judged('Passed', 100)],
      'Error',
      100,
    ],
    [
      'a rule of another severity could not be evaluated',
      [judged('Error', null), judged('Passed', 100)],
      'Warned',
      100,
    ],
    ['a Critical rule failed', [judged('Failed', 99, 'Critical'), judged('Passed', 100)], 'Failed', 99.33],
    ['the score is too low', [judged('Failed', 50), judged('Passed', 100)], 'Failed', 75],
    ['a rule failed and the score is high', [judged('Failed', 90), judged('Passed', 100)], 'Warned', 95],
    ['the score warns', [judged('Passed', 90)], 'Warned', 90],
    ['all rules pass', [judged('Passed', 100), judged('Passed', 98)], 'Passed', 99],
  ] as const)('has the expected outcome and score where %s', (_case, rules, outcome, score) => {
    const { outcome: actualOutcome, score: mean } = decideEvaluation(rules, byScore);
    expect(actualOutcome).toBe(outcome);
    if (score === null) expect(mean).toBeNull();
    else expect(mean).toBeCloseTo(score, 1);
  });

  test('weights rules by severity with 4, 3, 2 and 1, and by their own weight', () => {
    const rules = (['Critical', 'High', 'Medium', 'Low'] as const).map((severity, at) => ({
      ...judged('Passed', [100, 0, 0, 0][at] ?? 0, severity),
    }));
    expect(decideEvaluation(rules, byScore).score).toBe(40);
    const weighed = [{ ...judged('Passed', 100), weight: 3 }, judged('Passed', 0)];
    expect(decideEvaluation(weighed, byScore).score).toBe(75);
  });
});
