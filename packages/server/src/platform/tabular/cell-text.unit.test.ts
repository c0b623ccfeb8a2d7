import { guardFormula } from '@svc/contract';
import { expect, test } from 'vitest';
import { readableAgain, unguarded } from './cell-text.ts';

test.each(['=1', '-5', "'=1", "''=1", "'", "'a", '', '\uff1d1', "'\uff20a"])(
  'text that is read again from a file has its original form: %j',
  (text) => {
    expect(unguarded(guardFormula(readableAgain(text)))).toBe(text);
  },
);
