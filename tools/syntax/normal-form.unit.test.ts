import { expect, test } from 'vitest';
import { normalForm } from './normal-form.ts';

const text = `import { read } from './read.ts';
/** Reads. */
export const load = async (found: string) => {
  const told = await read({ found, size: 1 });
  return told.map(({ name }) => ({ name, found }));
};
`;

test.each([
  ['a comment', text.replace('/** Reads. */', '/** Loads the rows. */')],
  [
    'a local name',
    text
      .replace('(found: string)', '(id: string)')
      .replace('{ found, size', '{ found: id, size')
      .replace('name, found }', 'name, found: id }'),
  ],
  ['the layout', text.replace('{ found, size: 1 }', '{\n    found,\n    size: 1,\n  }')],
  [
    'the local name of an import',
    text.replace('{ read }', '{ read as get }').replace('await read(', 'await get('),
  ],
])('a change of %s leaves the normal form as it was', (_, changed) => {
  expect(changed).not.toBe(text);
  expect(normalForm(changed)).toEqual(normalForm(text));
});

test.each([
  ['a literal', text.replace('size: 1', 'size: 2')],
  ['the name of a member', text.replace('size: 1', 'length: 1')],
  ['an exported name', text.replace('load', 'fetchAll')],
  ['the imported name', text.replace('{ read }', '{ write as read }')],
  ['the variable that is used', text.replace('name, found }', 'name, found: name }')],
  ['an operation', text.replace('.map(', '.filter(')],
])('a change of %s changes the normal form', (_, changed) => {
  expect(changed).not.toBe(text);
  expect(normalForm(changed)).not.toEqual(normalForm(text));
});
