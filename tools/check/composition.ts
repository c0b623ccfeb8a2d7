import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = 'packages/server/src/compose';

/** Beginnings of SQL statements. */
const statement = /^\s*(select|insert\s+into|update|delete\s+from|with\s+\w+\s+as)\b/i;
const filling = new Set(['push', 'unshift', 'splice']);

/** Rules of the composition root, by name. */
export type CompositionRule =
  | 'compose-holds-no-sql'
  | 'compose-fills-no-array-later'
  | 'compose-closes-over-nothing-below';

type Fault = { readonly rule: CompositionRule; readonly line: number; readonly text: string };

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node);

const textOf = (node: ts.Node): string | undefined =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? node.head.text
      : undefined;

/** Returns the names that a block declares with `const` or `let`, with their positions. */
function declarationsOf(block: ts.Block): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  const note = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) positions.set(name.text, name.getStart());
    else for (const element of name.elements) if (ts.isBindingElement(element)) note(element.name);
  };
  for (const each of block.statements)
    if (ts.isVariableStatement(each)) for (const { name } of each.declarationList.declarations) note(name);
  return positions;
}

/** Returns true for an identifier that is read. Names of members and of declarations are not reads. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node;
  return !ts.isTypeNode(parent) && !ts.isTypeElement(parent);
}

/** Returns true when a function between the node and the block has a parameter of that name. */
function isParameter(node: ts.Identifier, block: ts.Block): boolean {
  for (let at: ts.Node = node; at !== block; at = at.parent)
    if (isFunction(at) && at.parameters.some(({ name }) => name.getText() === node.text)) return true;
  return false;
}

/** Returns the faults of one file of the composition root. */
export function compositionFaults(file: string, text: string): readonly Fault[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const note = (rule: CompositionRule, node: ts.Node, what: string): void => {
    faults.push({ rule, line: lineOf(node.getStart()), text: what });
  };

  const checkBlock = (block: ts.Block): void => {
    const declared = declarationsOf(block);
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && isRead(node)) {
        const at = declared.get(node.text);
        if (at !== undefined && node.getStart() < at && !isParameter(node, block))
          note(
            'compose-closes-over-nothing-below',
            node,
            `${node.text} is declared below, in line ${lineOf(at)}`,
          );
      }
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(block, visit);
  };

  const visit = (node: ts.Node): void => {
    if (isFunction(node) && node.body && ts.isBlock(node.body)) checkBlock(node.body);
    if (statement.test(textOf(node) ?? '')) note('compose-holds-no-sql', node, 'a statement');
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      filling.has(node.expression.name.text)
    )
      note('compose-fills-no-array-later', node, node.expression.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** Returns the faults of all files below `compose/`, one message each. */
export function findCompositionFaults(root: string): string[] {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  return files.flatMap((file) =>
    compositionFaults(file, readFileSync(path.join(root, file), 'utf8')).map(
      ({ rule, line, text }) => `${file}:${line}: ${rule}: ${text}`,
    ),
  );
}
