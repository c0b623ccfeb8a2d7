import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A place in the code that refuses with a code. */
export type ProblemUse = { readonly code: string; readonly place: string };

export type ProblemScan = {
  readonly uses: readonly ProblemUse[];
  /** Refusals whose code is not in the sources. */
  readonly faults: readonly string[];
};

/** Functions that create a refusal, with the index of the code argument or with their fixed code. */
const makers: Readonly<Record<string, number | string>> = {
  Refusal: 0,
  ToolRefusal: 0,
  RunSqlRefusal: 0,
  ConnectorError: 0,
  Problem: 0,
  badRequest: 0,
  badCredential: 0,
  brokenRule: 0,
  notPossible: 0,
  forbidden: 0,
  conflict: 0,
  refuseStatement: 0,
  unauthorized: 1,
  notFound: 'not-found',
  settingLocked: 'setting-locked',
  changedMeanwhile: 'changed-meanwhile',
  tooManyRequests: 'too-many-requests',
  unavailable: 'unavailable',
};
/** Codes of calls without the code argument. */
const defaults: Readonly<Record<string, string>> = { unauthorized: 'unauthorized' };

/** Types whose values are codes. A declaration with such a type contains codes, for example by error number of an engine. */
const codeTypes =
  /\b(HttpProblemCode|ProblemCode|ProblemCodeOf|ConnectorErrorCode|DashboardCode|RunSqlCode)\b/;
const codeShape = /^[a-z]+(-[a-z]+)*$/;

const sources = [
  'packages/server/src',
  'packages/connectors/src',
  'packages/jobs-dashboard/src',
  'apps/host/src',
];
/** Files that declare codes. A declaration is not a use. */
const declarations = [
  'packages/connectors/src/error.ts',
  'packages/server/src/gateways/run-sql/refusal.ts',
  'packages/jobs-dashboard/src/problem.ts',
];

/**
 * Parses every refusal of the sources. The compiler checks that a variable contains a code of the table. This scan
 * lists the codes that the sources use.
 */
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
      const codes = [...(made?.codes ?? []), ...(isDeclaration ? [] : typedLiterals(node))];
      uses.push(...codes.map((code) => ({ code, place: placeOf(node, file) })));
      if (made?.codes.length === 0 && !made.isVariable)
        faults.push(`${placeOf(node, file)}: the code of ${made.maker} is neither a literal nor a variable.`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { uses, faults };
}

const placeOf = (node: ts.Node, file: string): string =>
  `${file}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

type Made = { readonly maker: string; readonly codes: readonly string[]; readonly isVariable: boolean };

function madeBy(node: ts.Node): Made | undefined {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  const maker = node.expression.getText();
  const codeSource = Object.hasOwn(makers, maker) ? makers[maker] : undefined;
  if (codeSource === undefined) return undefined;
  if (typeof codeSource === 'string') return { maker, codes: [codeSource], isVariable: false };
  const given = node.arguments?.[codeSource];
  if (!given) return { maker, codes: [defaults[maker] ?? []].flat(), isVariable: false };
  return { maker, codes: literalsOf(given), isVariable: isVariable(given) };
}

const isVariable = (given: ts.Expression): boolean =>
  ts.isIdentifier(given) || ts.isPropertyAccessExpression(given) || ts.isBinaryExpression(given);

/** Returns the literals in a declaration with a type of codes. */
function typedLiterals(node: ts.Node): string[] {
  if (ts.isSatisfiesExpression(node)) return isOfCodes(node.type) ? literalsOf(node.expression) : [];
  if (ts.isVariableDeclaration(node) && node.initializer) {
    const { type, initializer } = node;
    const isTyped = ts.isNewExpression(initializer) && initializer.typeArguments?.some(isOfCodes);
    return isOfCodes(type) || isTyped ? literalsOf(initializer) : [];
  }
  return [];
}

const isOfCodes = (type: ts.Node | undefined): boolean =>
  type !== undefined && codeTypes.test(type.getText());

function literalsOf(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return codeShape.test(node.text) ? [node.text] : [];
  // A compared value or the key of a record is not a code of a refusal.
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken)
    return [];
  if (ts.isPropertyAssignment(node)) return literalsOf(node.initializer);
  const literals: string[] = [];
  ts.forEachChild(node, (child) => {
    literals.push(...literalsOf(child));
  });
  return literals;
}
