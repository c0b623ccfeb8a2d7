import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { handsOnCodes } from './handed-on-codes.ts';

/** One place in the code that refuses with a stable code. */
export type ProblemUse = {
  readonly code: string;
  /** Null: decided where it runs. */
  readonly status: number | null;
  /** The sentence for people, with `…` where values come in; null when it is made elsewhere. */
  readonly detail: string | null;
  readonly type: string | null;
  readonly place: string;
};

export type ProblemScan = {
  readonly uses: readonly ProblemUse[];
  /** Refusals whose code cannot be read from the source. */
  readonly faults: readonly string[];
};

/** The functions of platform/http/refusal.ts and business-rule.ts: their status, and where their arguments hold code and detail. */
const makers: Readonly<
  Record<string, { status: number; code?: string; codeArgument?: number; detailArgument?: number }>
> = {
  badRequest: { status: 400, codeArgument: 0, detailArgument: 1 },
  brokenRule: { status: 400, codeArgument: 0, detailArgument: 1 },
  notPossible: { status: 400, codeArgument: 0, detailArgument: 1 },
  unauthorized: { status: 401, code: 'unauthorized', codeArgument: 1, detailArgument: 0 },
  forbidden: { status: 403, codeArgument: 0, detailArgument: 1 },
  notFound: { status: 404, code: 'not-found' },
  conflict: { status: 409, codeArgument: 0, detailArgument: 1 },
  settingLocked: { status: 409, code: 'setting-locked', detailArgument: 1 },
  changedMeanwhile: { status: 412, code: 'changed-meanwhile' },
  tooManyRequests: { status: 429, code: 'too-many-requests', detailArgument: 0 },
  unavailable: { status: 503, code: 'unavailable', detailArgument: 0 },
};

const refusalFile = 'platform/http/refusal.ts';
const makerFiles = [refusalFile, 'platform/http/business-rule.ts'];

/** Reads every refusal of the server's sources without running them. */
export function scanProblemCodes(serverSource: string): ProblemScan {
  const uses: ProblemUse[] = [];
  const faults: string[] = [];
  for (const file of globSync('**/*.ts', { cwd: serverSource }).sort()) {
    if (file.endsWith('.test.ts') || file.includes('/testing/')) continue;
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(serverSource, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    if (makerFiles.includes(file)) faults.push(...unknownMakers(source, file));
    visit(source, file, uses, faults);
  }
  return { uses, faults };
}

function unknownMakers(source: ts.SourceFile, file: string): string[] {
  return source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ initializer }) => initializer && ts.isArrowFunction(initializer))
    .map(({ name }) => name.getText())
    .filter((name) => makers[name] === undefined)
    .map((name) => `${file} makes refusals by ${name}, which tools/docs/problem-codes.ts does not know.`);
}

function visit(node: ts.Node, file: string, uses: ProblemUse[], faults: string[]): void {
  const found = ts.isNewExpression(node)
    ? fromConstructor(node, file)
    : ts.isCallExpression(node)
      ? fromMaker(node, file)
      : undefined;
  if (typeof found === 'string') faults.push(found);
  else if (found) uses.push(found);
  ts.forEachChild(node, (child) => visit(child, file, uses, faults));
}

const placeOf = (node: ts.Node, file: string): string =>
  `${file}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

function fromConstructor(node: ts.NewExpression, file: string): ProblemUse | string | undefined {
  if (node.expression.getText() !== 'Refusal') return undefined;
  const [status, options] = node.arguments ?? [];
  if (!options || !ts.isObjectLiteralExpression(options)) return undefined;
  const member = (name: string): ts.Expression | undefined => {
    const found = options.properties.find((property) => property.name?.getText() === name);
    if (found && ts.isPropertyAssignment(found)) return found.initializer;
    return found && ts.isShorthandPropertyAssignment(found) ? found.name : undefined;
  };
  const code = member('code');
  if (!code) return undefined;
  const text = textOf(code);
  // The makers themselves pass on what they are given.
  if (text === null && (file === refusalFile || isHandedOn(code))) return undefined;
  if (text === null) return `${placeOf(node, file)}: the code is no literal.`;
  return {
    code: text,
    status: status && ts.isNumericLiteral(status) ? Number(status.text) : null,
    detail: textOf(member('detail')),
    type: textOf(member('type')),
    place: placeOf(node, file),
  };
}

function fromMaker(node: ts.CallExpression, file: string): ProblemUse | string | undefined {
  const name = node.expression.getText();
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!maker) return undefined;
  const given = maker.codeArgument === undefined ? undefined : node.arguments[maker.codeArgument];
  const code = given ? textOf(given) : (maker.code ?? null);
  if (code === null && given && isHandedOn(given)) return undefined;
  if (code === null) return `${placeOf(node, file)}: the code of ${name}() is no literal.`;
  const detail = maker.detailArgument === undefined ? undefined : node.arguments[maker.detailArgument];
  return { code, status: maker.status, detail: textOf(detail), type: null, place: placeOf(node, file) };
}

/** `error.code` of an error whose codes are documented by themselves. */
const isHandedOn = (code: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(code) && code.name.text === 'code' && handsOnCodes(code.getSourceFile().text);

/** The text of a literal, of a template with `…` for its values, or of the constant that a name stands for. */
function textOf(node: ts.Expression | undefined): string | null {
  if (!node) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null || right === null ? null : left + right;
  }
  if (ts.isIdentifier(node)) return textOf(constantNamed(node));
  return null;
}

function constantNamed(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    const declarations = scope.statements
      .filter((statement) => ts.isVariableStatement(statement))
      .flatMap(({ declarationList }) => [...declarationList.declarations]);
    const found = declarations.find((declaration) => declaration.name.getText() === name.text);
    if (found) return found.initializer === name ? undefined : found.initializer;
  }
  return undefined;
}
