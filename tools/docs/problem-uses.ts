import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A place in the code that refuses with a code of the table. */
export type ProblemUse = { readonly code: string; readonly place: string };

export type ProblemScan = {
  readonly uses: readonly ProblemUse[];
  /** Refusals whose code the sources do not show. */
  readonly faults: readonly string[];
};

/** What makes a refusal, and which of its arguments is the code; for makers without one, the code that they stand for. */
const makers: Readonly<Record<string, number | string>> = {
  Refusal: 0,
  ToolRefusal: 0,
  RunSqlRefusal: 0,
  ConnectorError: 0,
  Problem: 0,
  badRequest: 0,
  brokenRule: 0,
  notPossible: 0,
  forbidden: 0,
  conflict: 0,
  unauthorized: 1,
  notFound: 'not-found',
  settingLocked: 'setting-locked',
  changedMeanwhile: 'changed-meanwhile',
  tooManyRequests: 'too-many-requests',
  unavailable: 'unavailable',
};
/** What `unauthorized()` says without a code. */
const defaults: Readonly<Record<string, string>> = { unauthorized: 'unauthorized' };

/**
 * Types whose values are codes: literals that stand where the compiler expects one of these are uses, such as the codes
 * that an engine's error numbers are translated to.
 */
const codeTypes = /\b(HttpProblemCode|ProblemCode|ProblemCodeOf|ConnectorErrorCode|DashboardCode|RunSqlCode)\b/;

const sources = ['packages/server/src', 'packages/connectors/src', 'packages/jobs-dashboard/src', 'apps/host/src'];
/** The declarations themselves are no uses. */
const declarations = [
  'packages/connectors/src/error.ts',
  'packages/server/src/doors/run-sql/refusal.ts',
  'packages/jobs-dashboard/src/problem.ts',
];

/** Reads every refusal of the sources without running them. */
export function scanProblemUses(root: string, folders: readonly string[] = sources): ProblemScan {
  const uses: ProblemUse[] = [];
  const faults: string[] = [];
  for (const file of folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort()) {
    if (file.endsWith('.test.ts') || file.includes('/testing/')) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const isDeclaration = declarations.includes(file);
    const visit = (node: ts.Node): void => {
      const made = madeBy(node);
      if (made?.code !== undefined) uses.push({ code: made.code, place: placeOf(node, file) });
      else if (made && !isDeclaration && !isTyped(made.given))
        faults.push(`${placeOf(node, file)}: the code of ${made.maker} is no literal.`);
      if (!isDeclaration) uses.push(...typedLiterals(node).map((code) => ({ code, place: placeOf(node, file) })));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { uses, faults };
}

const placeOf = (node: ts.Node, file: string): string =>
  `${file}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

type Made = { readonly maker: string; readonly code?: string; readonly given?: ts.Expression };

function madeBy(node: ts.Node): Made | undefined {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  const maker = node.expression.getText();
  const known = Object.hasOwn(makers, maker) ? makers[maker] : undefined;
  if (known === undefined) return undefined;
  if (typeof known === 'string') return { maker, code: known };
  const given = node.arguments?.[known];
  if (!given) return defaults[maker] === undefined ? { maker } : { maker, code: defaults[maker] };
  return ts.isStringLiteral(given) ? { maker, code: given.text } : { maker, given };
}

/** A variable or a member: the compiler has checked that it holds a code of the table. */
const isTyped = (given: ts.Expression | undefined): boolean =>
  given !== undefined && (ts.isIdentifier(given) || ts.isPropertyAccessExpression(given) || ts.isBinaryExpression(given));

/** Literals in the initializer or the result of what is declared with a type of codes. */
function typedLiterals(node: ts.Node): string[] {
  if (ts.isSatisfiesExpression(node) && codeTypes.test(node.type.getText())) return literalsOf(node.expression);
  if (ts.isVariableDeclaration(node) && node.initializer) {
    const { type, initializer } = node;
    if (type && codeTypes.test(type.getText())) return literalsOf(initializer);
    if (ts.isNewExpression(initializer) && initializer.typeArguments?.some((one) => codeTypes.test(one.getText())))
      return literalsOf(initializer);
    return [];
  }
  const isFunction = ts.isFunctionDeclaration(node) || ts.isArrowFunction(node);
  return isFunction && node.type && node.body && codeTypes.test(node.type.getText()) ? literalsOf(node.body) : [];
}

function literalsOf(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  const found: string[] = [];
  ts.forEachChild(node, (child) => {
    // A key of a record is what is translated, not what it is translated to.
    const isKey = ts.isPropertyAssignment(node) && child === node.name;
    if (!isKey) found.push(...literalsOf(child));
  });
  return found;
}
