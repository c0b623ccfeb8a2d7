import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Folders with text for users. */
const folders = ['web', 'server', 'channels', 'contract', 'connectors'].map((name) => `packages/${name}/src`);

/** Nouns that text counts. "runs" has a separate rule: it is a verb, too. */
const nouns =
  'actions|attempts|blocks|bytes|calls|changes|characters|columns|contracts|days|deliveries|documents|evaluations|files|hours|keys|levels|messages|minutes|months|pages|people|points|problems|projects|queries|recipients|records|requests|rows|rules|schedules|seconds|signals|steps|subscriptions|tables|tasks|times|tokens|users|versions|violations|weeks';
const countedNoun = new RegExp(`^\\s+(?:${nouns})\\b`);
/** "3 runs" is a count. "Version 3 runs." and "The function x runs" are not. */
const countedRuns = /^\s+runs\b/;
const subjectOfRuns = /(?:version|function|migration)\s+$/i;
/** An SQL interval is not text for users. */
const interval = /interval '$/;

/** Finds numbers that are joined to a plural noun, so that 1 gives "1 rows". */
export function findHandMadePlurals(root: string): string[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  return files
    .filter((file) => !/\.(?:test|spec)\.tsx?$|\/(?:browser|testing)\/|\.generated\./.test(file))
    .flatMap((file) => pluralFaultsOf(file, readFileSync(path.join(root, file), 'utf8')));
}

/** Returns the faults in the text of one file. */
export function pluralFaultsOf(file: string, text: string): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const faults: string[] = [];
  const report = (node: ts.Node, expression: string, words: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const noun = words.trim().split(/\W/)[0];
    faults.push(`${file}:${line + 1}: "${expression} ${noun}"; say plural(${expression}, …).`);
  };
  const inspect = (node: ts.Node): void => {
    for (const { expression, before, after } of joinsOf(node))
      if (isCounted(before, expression, after)) report(expression, expression.getText(), after);
    ts.forEachChild(node, inspect);
  };
  inspect(source);
  return faults;
}

/** An expression with the text before and after it. */
type Join = { readonly before: string; readonly expression: ts.Expression; readonly after: string };

function joinsOf(node: ts.Node): Join[] {
  if (ts.isTemplateExpression(node)) {
    const heads = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    return node.templateSpans.map(({ expression, literal }, at) => ({
      before: heads[at] ?? '',
      expression,
      after: literal.text,
    }));
  }
  if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return [];
  return node.children.flatMap((child, at): Join[] => {
    const next = node.children[at + 1];
    if (!ts.isJsxExpression(child) || !child.expression || !next || !ts.isJsxText(next)) return [];
    return [{ before: '', expression: child.expression, after: next.text.replaceAll(/\s+/g, ' ') }];
  });
}

function isCounted(before: string, expression: ts.Expression, after: string): boolean {
  // `{' '}` joins text across two lines.
  if (ts.isStringLiteral(expression) || interval.test(before)) return false;
  if (countedNoun.test(after)) return true;
  return countedRuns.test(after) && !subjectOfRuns.test(before) && !/name\b/i.test(expression.getText());
}
