import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Units with a limit. A factory is a function that returns inner functions. */
export const limits = { functions: 70, factories: 120, files: 350, folders: 15 } as const;
export type LimitKind = keyof typeof limits;

/** Sizes over a limit, by place. No entry may be added or rise; `npm run docs` lowers and removes them. */
export type Sizes = Readonly<Record<LimitKind, Readonly<Record<string, number>>>>;

/** A unit of code, for example `packages/jobs/src/client/jobs.ts#createJobs` with 97 lines. */
type Unit = { readonly kind: LimitKind; readonly place: string; readonly size: number };

export const limitsFile = 'tools/check/limits.generated.json';
const folders = 'packages,apps,tools,spec,bench,trials,examples';
/** Files that declare the contract: one long list each. */
const declarations = /^packages\/contract\/src\/(?:endpoints|problem-codes)\//;
const isTest = (file: string): boolean =>
  /[.](test|spec)[.]tsx?$|(^|\/)testing([.]ts$|\/)|[.]d[.]ts$/.test(file);

/** Returns true for the body of `describe`, which contains tests as a folder contains files. */
function isSuite(node: ts.Node): boolean {
  if (!ts.isCallExpression(node.parent)) return false;
  let callee: ts.Expression = node.parent.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && callee.text === 'describe';
}

type FunctionNode = ts.SignatureDeclaration & { readonly body: ts.Node };
const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

function unwrapped(node: ts.Expression): ts.Expression {
  let at = node;
  while (ts.isParenthesizedExpression(at) || ts.isAsExpression(at) || ts.isSatisfiesExpression(at))
    at = at.expression;
  return at;
}

/** Returns the names of the functions that a body declares. */
function innerFunctions(body: ts.Node): ReadonlySet<string> {
  const names = new Set<string>();
  if (!ts.isBlock(body)) return names;
  for (const each of body.statements) {
    if (ts.isFunctionDeclaration(each) && each.name) names.add(each.name.text);
    if (ts.isVariableStatement(each))
      for (const { name, initializer } of each.declarationList.declarations)
        if (ts.isIdentifier(name) && initializer && isFunction(unwrapped(initializer))) names.add(name.text);
  }
  return names;
}

/** Returns true when the function returns functions that it declares, alone or as members of an object. */
function isFactory(node: FunctionNode): boolean {
  const inner = innerFunctions(node.body);
  const isOwn = (expression: ts.Expression): boolean => {
    const value = unwrapped(expression);
    if (isFunction(value)) return true;
    return ts.isIdentifier(value) && inner.has(value.text);
  };
  const isBuilt = (expression: ts.Expression): boolean => {
    const value = unwrapped(expression);
    if (!ts.isObjectLiteralExpression(value)) return isOwn(value);
    return value.properties.some(
      (member) =>
        ts.isMethodDeclaration(member) ||
        (ts.isShorthandPropertyAssignment(member) && inner.has(member.name.text)) ||
        (ts.isPropertyAssignment(member) && isOwn(member.initializer)),
    );
  };
  if (!ts.isBlock(node.body)) return isBuilt(node.body as ts.Expression);
  const last = node.body.statements.at(-1);
  return last !== undefined && ts.isReturnStatement(last) && !!last.expression && isBuilt(last.expression);
}

/** Returns a name for messages and for the list: that of the function, its variable, its member or its test. */
function nameOf(node: FunctionNode): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  if ((ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) && parent.name)
    return parent.name.getText();
  if (ts.isCallExpression(parent)) {
    const title = parent.arguments.find(ts.isStringLiteralLike);
    return title ? title.text : `${parent.expression.getText().slice(0, 40)}()`;
  }
  return '(anonymous)';
}

/** Returns the functions, factories and the file itself, with their lines. */
export function unitsOf(file: string, text: string): readonly Unit[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const units: Unit[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && !isSuite(node)) {
      const size = lineOf(node.getEnd()) - lineOf(node.getStart()) + 1;
      const kind = size > limits.functions && isFactory(node) ? 'factories' : 'functions';
      units.push({ kind, place: `${file}#${nameOf(node)}`, size });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (!declarations.test(file)) units.push({ kind: 'files', place: file, size: text.split('\n').length - 1 });
  return units;
}

/** Returns the folders with the number of their production files. */
export function foldersOf(files: readonly string[]): readonly Unit[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const place = path.posix.dirname(file);
    if (!isTest(file)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts].map(([place, size]) => ({ kind: 'folders', place, size }));
}

/** Returns all sizes of the repository that are over their limit. Generated files do not count. */
export function readSizes(root: string): Sizes {
  const files = globSync(`{${folders}}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (entry) => ['node_modules', 'dist'].includes(path.basename(String(entry))),
  })
    .filter((file) => !file.includes('.generated.'))
    .sort();
  const units = [
    ...files.flatMap((file) => unitsOf(file, readFileSync(path.join(root, file), 'utf8'))),
    ...foldersOf(files),
  ];
  const over = (kind: LimitKind) => {
    const sizes: Record<string, number> = {};
    for (const unit of units)
      if (unit.kind === kind && unit.size > limits[kind])
        sizes[unit.place] = Math.max(unit.size, sizes[unit.place] ?? 0);
    return sizes;
  };
  return {
    functions: over('functions'),
    factories: over('factories'),
    files: over('files'),
    folders: over('folders'),
  };
}

export const readAllowedSizes = (root: string): Sizes =>
  JSON.parse(readFileSync(path.join(root, limitsFile), 'utf8')) as Sizes;

const kinds = ['functions', 'factories', 'files', 'folders'] as const satisfies readonly LimitKind[];

/** Returns the list for `npm run docs`: no entry is new, and no size is higher than before. */
export function lowerSizes(sizes: Sizes, allowed: Sizes): Sizes {
  const lower = (kind: LimitKind) =>
    Object.fromEntries(
      Object.entries(sizes[kind]).flatMap(([place, size]) => {
        const most = allowed[kind][place];
        return most === undefined ? [] : [[place, Math.min(size, most)]];
      }),
    );
  return {
    functions: lower('functions'),
    factories: lower('factories'),
    files: lower('files'),
    folders: lower('folders'),
  };
}

/** Returns a message for each size over its limit that the list does not allow. */
export function sizeFaults(sizes: Sizes, allowed: Sizes): string[] {
  return kinds.flatMap((kind) =>
    Object.entries(sizes[kind])
      .filter(([place, size]) => size > (allowed[kind][place] ?? 0))
      .map(([place, size]) => {
        const unit = kind === 'folders' ? 'files' : 'lines';
        const exception = allowed[kind][place];
        const extra = exception === undefined ? '' : `; its exception allows ${exception}`;
        return `${place}: ${size} ${unit}, the limit of ${kind} is ${limits[kind]}${extra}`;
      }),
  );
}

/** Finds functions, factories, files and folders over their limits, except those of the list. */
export const findSizeFaults = (root: string): string[] => sizeFaults(readSizes(root), readAllowedSizes(root));
