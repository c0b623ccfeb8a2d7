import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Where one statement reads the clock more than once. */
export type DoubleRead = { readonly line: number; readonly text: string };

/**
 * Statements of a test that read the clock twice, with `Date.now()`, `new Date()` or a function of the same file that
 * does. Time may pass between the two, so that what they are taken from each other for differs from run to run.
 */
export function findDoubleClockReads(text: string): readonly DoubleRead[] {
  const file = ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);
  const readers = namesOfReaders(file);
  const found: DoubleRead[] = [];
  const visit = (node: ts.Node): void => {
    if (isUnit(node) && countReads(node, readers) > 1) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ line, text: node.getText().split('\n')[0] ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What is looked at as a whole: a statement, or the body of an arrow function that has none. */
const isUnit = (node: ts.Node): boolean =>
  (ts.isStatement(node) && !ts.isBlock(node)) ||
  (node.parent !== undefined &&
    ts.isArrowFunction(node.parent) &&
    node === node.parent.body &&
    !ts.isBlock(node));

const isRead = (node: ts.Node, readers: ReadonlySet<string>): boolean => {
  if (ts.isNewExpression(node))
    return node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0;
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText();
  return callee === 'Date.now' || readers.has(callee);
};

/** Reads of the clock in a statement, without those of the statements and functions inside it. */
function countReads(unit: ts.Node, readers: ReadonlySet<string>): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isStatement(node) || ts.isFunctionLike(node)) return;
    if (isRead(node, readers)) count++;
    ts.forEachChild(node, visit);
  };
  if (isRead(unit, readers)) count++;
  ts.forEachChild(unit, visit);
  return count;
}

/** Functions of the file that read the clock at each call, by name. */
function namesOfReaders(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const reads = (node: ts.Node): boolean =>
    isRead(node, new Set()) || (ts.forEachChild(node, (child) => reads(child) || undefined) ?? false);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)) {
      const { body } = node.initializer;
      if (!ts.isBlock(body) && reads(body)) names.add(node.name.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** A sentence for each test that reads the clock twice in one statement. */
export function findClockFaults(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{test,spec}.ts`, { cwd: root, exclude: ['**/node_modules/**'] }),
    )
    .sort()
    .flatMap((file) =>
      findDoubleClockReads(readFileSync(path.join(root, file), 'utf8')).map(
        ({ line, text }) =>
          `${file}:${line} reads the clock more than once in one statement: take one \`now\` before it. ${text}`,
      ),
    );
}
