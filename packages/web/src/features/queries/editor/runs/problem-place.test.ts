import { expect, it } from 'vitest';
import { ProblemError } from '../../../../lib/problem.ts';
import { parameterOf, placeholderOf, placeOf } from './problem-place.ts';

const refusal = (path: string, message: string) =>
  new ProblemError({ type: 'about:blank', title: 'Bad Request', status: 400, errors: [{ path, message }] });

it('an error points to the step, line and column that the service names', () => {
  expect(placeOf(refusal('/steps/1/sql', 'column "x" does not exist (line 2, column 8)'))).toEqual({
    step: 1,
    line: 2,
    column: 8,
    message: 'column "x" does not exist',
  });
});

it('an error without a place points to the start of the final query', () => {
  expect(placeOf(refusal('/finalQuery', 'no such table'))).toMatchObject({
    step: 'final',
    line: 1,
    column: 1,
  });
});

it('an error that is not about SQL has no place in the editor', () => {
  expect(placeOf(refusal('/name', 'is required'))).toBeUndefined();
  expect(placeOf(new Error('x'))).toBeUndefined();
});

it('an error about a missing value names its parameter and the place that uses it', () => {
  const missing = refusal('/values/from', 'The parameter from needs a value.');
  expect(placeOf(missing)).toBeUndefined();
  expect(parameterOf(missing)).toBe('from');
  expect(parameterOf(refusal('/steps/0/sql', 'no such table'))).toBeUndefined();
  expect(placeholderOf('select 1\nwhere a > {{ from }}', 'from', 'why')).toEqual({
    line: 2,
    column: 11,
    message: 'why',
  });
  expect(placeholderOf('select 1', 'from', 'why')).toBeUndefined();
});
