import { expect, test } from 'vitest';
import { type CompositionRule, compositionFaults, findCompositionFaults } from './composition.ts';

const plants: readonly { readonly rule: CompositionRule; readonly text: string }[] = [
  {
    rule: 'compose-holds-no-sql',
    text: 'const find = () => run(`select r.id from svc.runs r where $' + '{x}`);\n',
  },
  { rule: 'compose-holds-no-sql', text: "const put = () => run('insert into svc.runs values (1)');\n" },
  {
    rule: 'compose-fills-no-array-later',
    text: 'function compose() {\n  const found = [];\n  found.push(1);\n}\n',
  },
  {
    rule: 'compose-closes-over-nothing-below',
    text: 'function compose() {\n  const early = make(() => late.stop());\n  const late = makeLate(early);\n}\n',
  },
  {
    rule: 'compose-closes-over-nothing-below',
    text: 'function compose() {\n  const early = make({ stop: (tx) => stop(tx) });\n  const { stop } = makeLate(early);\n}\n',
  },
];

test.each(plants)('a violation of $rule is reported', ({ rule, text }) => {
  expect(compositionFaults('compose/planted.ts', text).map((fault) => fault.rule)).toEqual([rule]);
});

test('code that resembles a violation is accepted', () => {
  const text = `export function compose(deps: { readonly late: Late }) {
  const early = make({ act: (late: Late) => late.act(), late: deps.late });
  const late = makeLate(early);
  return { late, text: 'selected', routes: [...early.routes, ...late.routes] };
}
`;
  expect(compositionFaults('compose/fine.ts', text)).toEqual([]);
});

test('the composition root follows its rules', () => {
  expect(findCompositionFaults(process.cwd())).toEqual([]);
});
