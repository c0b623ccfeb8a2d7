import ts from 'typescript';

/** Returns a program of one file, without its imports and without the standard library. */
function programOf(fileName: string, text: string): ts.Program {
  const host: ts.CompilerHost = {
    getSourceFile: (name) =>
      name === fileName ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) : undefined,
    getDefaultLibFileName: () => '',
    writeFile: () => undefined,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => name === fileName,
    readFile: () => undefined,
  };
  const options = { noLib: true, noResolve: true, noEmit: true, allowImportingTsExtensions: true };
  return ts.createProgram([fileName], { ...options, target: ts.ScriptTarget.ESNext }, host);
}

/** Returns true for an identifier that names a member, not a value in scope. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent) || ts.isClassElement(parent)) &&
    parent.name === node
  );
}

const isExported = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((each) => (ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Export) !== 0) ??
  false;

const isLocal = (symbol: ts.Symbol | undefined): symbol is ts.Symbol => {
  const declaration = symbol?.declarations?.[0];
  if (!symbol || !declaration || isExported(symbol)) return false;
  return (
    ts.isVariableDeclaration(declaration) ||
    ts.isParameter(declaration) ||
    ts.isBindingElement(declaration) ||
    ts.isFunctionDeclaration(declaration) ||
    ts.isImportSpecifier(declaration) ||
    ts.isTypeParameterDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration)
  );
};

/** Returns the member or export that a short form names: `found` in `{ found }`, `read` in `import { read }`. */
function impliedName(node: ts.Node): readonly string[] {
  if (ts.isImportSpecifier(node)) return node.propertyName ? [] : [node.name.text, 'as'];
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return [];
  const isShort = ts.isIdentifier(node.name) && !node.propertyName && !node.dotDotDotToken;
  return isShort ? [node.name.getText(), ':'] : [];
}

/**
 * Returns the tokens of a TypeScript file in a normal form: without comments, commas and parentheses, with a number for
 * each local name. Two files with the same normal form differ in comments, layout and local names only. Names of
 * members, exports and globals do not change, and no literal does.
 *
 * @param isPage true for a file with JSX.
 */
export function normalForm(text: string, isPage = false): readonly string[] {
  const fileName = isPage ? 'file.tsx' : 'file.ts';
  const program = programOf(fileName, text);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(fileName);
  if (!source) throw new Error('The file cannot be read.');
  const numbers = new Map<ts.Symbol, string>();
  const tokens: string[] = [];
  const nameOf = (symbol: ts.Symbol | undefined, written: string): string => {
    if (!isLocal(symbol)) return written;
    const name = numbers.get(symbol) ?? `$${numbers.size}`;
    numbers.set(symbol, name);
    return name;
  };
  const visitIdentifier = (node: ts.Identifier): void => {
    tokens.push(isMemberName(node) ? node.text : nameOf(checker.getSymbolAtLocation(node), node.text));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    if (ts.isIdentifier(node)) {
      visitIdentifier(node);
      return;
    }
    if (ts.isShorthandPropertyAssignment(node)) {
      const value = checker.getShorthandAssignmentValueSymbol(node);
      tokens.push(node.name.text, ':', nameOf(value, node.name.text));
      return;
    }
    tokens.push(...impliedName(node));
    const children = node.getChildren(source);
    if (children.length > 0) {
      for (const child of children) visit(child);
      return;
    }
    const written = ts.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(source);
    if (!['', ',', '(', ')'].includes(written)) tokens.push(written);
  };
  visit(source);
  return tokens;
}
