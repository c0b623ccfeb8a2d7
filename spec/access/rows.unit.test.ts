import { expect, test } from 'vitest';
import { accessRows, callerKinds } from './index.ts';

const nameOf = ({ operation, variant }: (typeof accessRows)[number]) =>
  variant ? `${operation} (${variant})` : operation;

test('every row is about another operation, or another variant of it', () => {
  const names = accessRows.map(nameOf);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every row says what each kind of caller gets, and why', () => {
  for (const row of accessRows) {
    expect(Object.keys(row.expect).sort(), nameOf(row)).toEqual([...callerKinds].sort());
    expect(row.why, nameOf(row)).toMatch(/^[A-Z].*\.$/);
  }
});
