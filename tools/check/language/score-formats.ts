import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Folders with text for users. */
const folders = ['web', 'server', 'channels'].map((name) => `packages/${name}/src`);

/** Names of numbers that people compare with a limit. */
const scoreName = /(?:^s|S)core$|(?:^a|A)ccuracy$|successRate$/;
/** Calls that round to the nearest number, so that a score below a limit can reach the limit. */
const rounding = /^Math\.(?:round|ceil)$|\.(?:toFixed|toPrecision|format|toLocaleString)$/;

/** Finds scores that are rounded or written without `scoreText` or `limitText`, which round down. */
export function findScoreFormats(root: string): string[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  return files
    .filter((file) => !/\.(?:test|spec)\.tsx?$|\/(?:browser|testing)\/|\.generated\./.test(file))
    .flatMap((file) => scoreFaultsOf(file, readFileSync(path.join(root, file), 'utf8')));
}

/** Returns the faults in the text of one file. */
export function scoreFaultsOf(file: string, text: string): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const faults: string[] = [];
  const inspect = (node: ts.Node): void => {
    if (writesScore(node) || roundsScore(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      faults.push(`${file}:${line + 1}: "${node.getText()}" writes a score; use scoreText or limitText.`);
    }
    ts.forEachChild(node, inspect);
  };
  inspect(source);
  return faults;
}

const isScore = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && scoreName.test(node.text)) ||
  (ts.isPropertyAccessExpression(node) && scoreName.test(node.name.text));

/** Returns true for a score between the texts of a template or between tags. */
const writesScore = (node: ts.Node): boolean =>
  (ts.isTemplateSpan(node) && isScore(node.expression)) ||
  (ts.isJsxExpression(node) &&
    !ts.isJsxAttribute(node.parent) &&
    node.expression !== undefined &&
    isScore(node.expression));

function roundsScore(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !rounding.test(node.expression.getText())) return false;
  const holdsScore = (part: ts.Node): boolean =>
    isScore(part) || (ts.forEachChild(part, holdsScore) ?? false);
  return [node.expression, ...node.arguments].some(holdsScore);
}
