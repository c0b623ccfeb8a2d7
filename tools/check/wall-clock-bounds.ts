import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** An assertion with an upper bound of an elapsed time. */
export type WallClockBound = { readonly line: number; readonly text: string };

const upperBounds = new Set(['toBeLessThan', 'toBeLessThanOrEqual', 'toBeCloseTo']);
const lowerBounds = new Set(['toBeGreaterThan', 'toBeGreaterThanOrEqual']);

/**
 * Finds assertions of a test that fail on a busy machine: an upper bound of a difference of clock reads, and a lower
 * bound of a time that depends on a later clock read. The difference is in the argument of `expect` or in a variable of
 * the same file.
 */
export function findBoundsOfElapsedTime(text: string): readonly WallClockBound[] {
  const file = ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);
  const nodes = nodesOf(file);
  const names = namesOfElapsedTimes(nodes);
  const isElapsed = (node: ts.Node): boolean =>
    nodesOf(node).some((inner) => isDifference(inner) || (ts.isIdentifier(inner) && names.has(inner.text)));
  return nodes.filter(isBound).flatMap((bound) => {
    const argument = argumentOfExpect(bound);
    if (!argument) return [];
    const isLate = nodesOf(argument).some(isRemainder) || bound.arguments.some(readsClock);
    if (upperBounds.has(bound.expression.name.text) ? !isElapsed(argument) : !isLate) return [];
    const line = file.getLineAndCharacterOfPosition(bound.getEnd()).line + 1;
    return [{ line, text: bound.getText().replaceAll(/\s+/g, ' ') }];
  });
}

const nodesOf = (node: ts.Node): readonly ts.Node[] => {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return [node, ...children.flatMap(nodesOf)];
};

const readsClock = (node: ts.Node): boolean =>
  nodesOf(node).some(
    (inner) => ts.isCallExpression(inner) && /^(performance|Date)\.now$/.test(inner.expression.getText()),
  );

/** Returns true for `now - before` and `before - now`. */
const isDifference = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.MinusToken &&
  (readsClock(node.left) || readsClock(node.right));

/** Returns true for `end - now`. */
const isRemainder = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) && isDifference(node) && readsClock(node.right);

/** Returns the names of variables whose value contains a difference of clock reads. */
function namesOfElapsedTimes(nodes: readonly ts.Node[]): ReadonlySet<string> {
  const isTime = (value: ts.Node | undefined) =>
    value !== undefined && !ts.isFunctionLike(value) && nodesOf(value).some(isDifference);
  const names = nodes.flatMap((node) => {
    if (ts.isVariableDeclaration(node) && isTime(node.initializer)) return [node.name.getText()];
    return ts.isBinaryExpression(node) && isAssignment(node) && isTime(node.right)
      ? [node.left.getText()]
      : [];
  });
  return new Set(names);
}

const isAssignment = ({ operatorToken }: ts.BinaryExpression): boolean =>
  operatorToken.kind === ts.SyntaxKind.EqualsToken;

type Bound = ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };

const isBound = (node: ts.Node): node is Bound =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  (upperBounds.has(node.expression.name.text) || lowerBounds.has(node.expression.name.text));

/** Returns the argument of the `expect` or `expect.poll` at the start of a chain. */
function argumentOfExpect(bound: ts.CallExpression): ts.Node | undefined {
  for (let node: ts.Node = bound.expression; ; ) {
    if (ts.isCallExpression(node) && /^expect(\.\w+)?$/.test(node.expression.getText()))
      return node.arguments[0];
    if (!ts.isPropertyAccessExpression(node) && !ts.isCallExpression(node)) return undefined;
    node = node.expression;
  }
}

/** Returns a message for each assertion in a test that bounds an elapsed time. */
export function findWallClockBounds(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) =>
      globSync([`${folder}/**/*.{test,spec}.ts`, `${folder}/**/testing/**/*.ts`], {
        cwd: root,
        exclude: ['**/node_modules/**'],
      }),
    )
    .sort()
    .flatMap((file) =>
      findBoundsOfElapsedTime(readFileSync(path.join(root, file), 'utf8')).map(
        ({ line, text }) =>
          `${file}:${line} bounds an elapsed time, which a busy machine exceeds: show the order of events, count steps, or read the clock before the event. ${text}`,
      ),
    );
}
