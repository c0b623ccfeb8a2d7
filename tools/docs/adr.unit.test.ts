import { describe, expect, test } from 'vitest';
import { findAdrFaults } from './adr.ts';

const sound = `# A thing is so

- Date: 2026-01-31
- Status: accepted

## Context

It could be otherwise.

## Decision

It is so.

## Consequences

It stays so.
`;
const faultsOf = (text: string) => findAdrFaults('a.md', text, ['a.md', 'b.md']);

describe('the form of a decision record', () => {
  test('is correct in a valid record, and in a record that an existing one supersedes', () => {
    expect(faultsOf(sound)).toEqual([]);
    expect(faultsOf(sound.replace('accepted', 'superseded by [B](b.md)'))).toEqual([]);
  });

  test.each([
    ['no title', sound.replace('# A thing is so\n', ''), 'begin with its title'],
    ['no date', sound.replace('2026-01-31', 'January'), '- Date:'],
    ['an unknown status', sound.replace('accepted', 'done'), '- Status:'],
    ['a successor that is not there', sound.replace('accepted', 'superseded by [C](c.md)'), 'c.md'],
    ['a section too few', sound.replace('## Consequences', ''), 'its sections are Context, Decision,'],
    ['a section too many', `${sound}\n## Measured\n\nMuch.\n`, 'Consequences, Measured'],
    ['61 lines', `${sound}${'More.\n'.repeat(45)}`, 'it has 61 lines'],
    ['a line of 121 characters', `${sound}${'x'.repeat(121)}\n`, 'line 17 is longer than 120'],
    ['a story', sound.replace('It stays so.', 'It used to be otherwise.'), 'line 16 tells how'],
  ])('reports %s as a fault', (_name, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
  });
});
