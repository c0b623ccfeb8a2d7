import { expect, test } from 'vitest';
import { accessRows, callerKinds } from './index.ts';

const nameOf = ({ operation, variant }: (typeof accessRows)[number]) =>
  variant ? `${operation} (${variant})` : operation;

test('every row of the access matrix has a unique operation or variant', () => {
  const names = accessRows.map(nameOf);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every row of the access matrix states the result for each kind of caller, and a reason', () => {
  for (const row of accessRows) {
    expect(Object.keys(row.expect).sort(), nameOf(row)).toEqual([...callerKinds].sort());
    expect(row.why, nameOf(row)).toMatch(/^[A-Z].*\.$/);
  }
});
