import { describe, expect, test } from 'vitest';
import { scanScenarioFile } from './citations.ts';

const idsOf = (text: string) => scanScenarioFile('a.spec.ts', text).citations.map(({ id }) => id);
const faultsOf = (text: string) => scanScenarioFile('a.spec.ts', text).faults;

describe('parser of citations', () => {
  test('returns every id of a scenario with its line', () => {
    const { citations, faults } = scanScenarioFile(
      'a.spec.ts',
      `\nscenario(['ID-1-01',\n "RT-2-02"], 't', f);`,
    );
    expect(faults).toEqual([]);
    expect(citations).toEqual([
      { id: 'ID-1-01', file: 'a.spec.ts', line: 2 },
      { id: 'RT-2-02', file: 'a.spec.ts', line: 3 },
    ]);
  });

  test('reads scenarios inside describe blocks and loops', () => {
    expect(idsOf(`describe('x', () => { for (const a of b) scenario(['ID-1-01'], a, f); });`)).toEqual([
      'ID-1-01',
    ]);
  });

  test.each(['skip', 'todo', 'fails', 'skipIf(true)', 'runIf(false)'])(
    'ignores citations of scenario.%s',
    (modifier) => {
      expect(idsOf(`scenario.${modifier}(['ID-1-01'], 't', f);`)).toEqual([]);
    },
  );

  test('ignores citations inside a skipped describe block at any depth', () => {
    expect(
      idsOf(`describe.skip('x', () => { describe('y', () => { scenario(['ID-1-01'], 't', f); }); });`),
    ).toEqual([]);
  });

  test('ignores citations in comments and strings', () => {
    expect(idsOf(`// scenario(['ID-1-01'], 't', f);\nconst s = "scenario(['ID-1-02'])";`)).toEqual([]);
  });

  test('refuses a scenario without ids', () => {
    expect(faultsOf(`scenario([], 't', f);`)).toHaveLength(1);
    expect(faultsOf(`scenario(ids, 't', f);`)).toHaveLength(1);
  });

  test('refuses an id that is not a quoted string literal', () => {
    expect(faultsOf('scenario([`ID-1-01`], "t", f); scenario([...ids], "t", f);')).toHaveLength(2);
  });
});
