import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A statement that reads the clock more than once. */
export type DoubleRead = { readonly line: number; readonly text: string };

/**
 * Finds statements of a test that read the clock twice, by `Date.now()`, `new Date()` or a function of the same file
 * that does. Time passes between two reads, so their difference varies between runs.
 */
export function findDoubleClockReads(text: string): readonly DoubleRead[] {
  const file = ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);
  const readers = namesOfReaders(file);
  const doubleReads: DoubleRead[] = [];
  const visit = (node: ts.Node): void => {
    if (isUnit(node) && countReads(node, readers) > 1) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      doubleReads.push({ line, text: node.getText().split('\n')[0] ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return doubleReads;
}

/** Returns true for a unit of the check: a statement, or an arrow function's body without a block. */
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

/** Counts the clock reads of a statement, without those of inner statements and functions. */
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

/** Returns the names of the file's arrow functions that read the clock at each call. */
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

/** Returns a message for each test statement that reads the clock twice. */
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
