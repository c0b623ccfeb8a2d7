import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One requirement id that a scenario cites. */
export type Citation = { readonly id: string; readonly file: string; readonly line: number };

/** Result of a scan of scenario files. */
export type ScanResult = {
  readonly citations: readonly Citation[];
  /** Calls that the scan cannot read, as sentences with file and line. */
  readonly faults: readonly string[];
};

const skippingModifiers = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails']);

/**
 * Returns ['describe', 'skip', 'each'] for `describe.skip.each`. Returns an empty list without a plain chain of
 * names.
 */
function chainOf(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression)) {
    const rest = chainOf(expression.expression);
    return rest.length > 0 ? [...rest, expression.name.text] : [];
  }
  return ts.isCallExpression(expression) ? chainOf(expression.expression) : [];
}

/**
 * Reads the citations of one scenario file from its text, without running it: every `scenario([...ids], …)`. A
 * scenario that does not run, or that is expected to fail (`scenario.fails`, anything inside `describe.skip`), cites
 * nothing. Ids must be plain strings in the call.
 */
export function scanScenarioFile(file: string, text: string): ScanResult {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const citations: Citation[] = [];
  const faults: string[] = [];
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1;

  function readCall(call: ts.CallExpression, counts: boolean): void {
    const ids = call.arguments[0];
    if (!ids || !ts.isArrayLiteralExpression(ids) || ids.elements.length === 0) {
      faults.push(
        `${file}:${lineOf(call)}: a scenario starts with a list of the requirement ids that it verifies.`,
      );
      return;
    }
    for (const element of ids.elements) {
      if (!ts.isStringLiteral(element))
        faults.push(`${file}:${lineOf(element)}: a requirement id is written as a plain string.`);
      else if (counts) citations.push({ id: element.text, file, line: lineOf(element) });
    }
  }

  function visit(node: ts.Node, counts: boolean): void {
    let inner = counts;
    if (ts.isCallExpression(node)) {
      const [name = '', ...modifiers] = chainOf(node.expression);
      const runs = !modifiers.some((modifier) => skippingModifiers.has(modifier));
      if (name === 'scenario') readCall(node, counts && runs);
      else if (name === 'describe' || name === 'suite') inner = counts && runs;
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  }
  visit(source, true);
  return { citations, faults };
}

/** Reads the citations of all `*.spec.ts` files below a folder. */
export function scanScenarios(folder: string): ScanResult {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .sort();
  const results = files.map((name) => scanScenarioFile(name, readFileSync(path.join(folder, name), 'utf8')));
  return {
    citations: results.flatMap((result) => result.citations),
    faults: results.flatMap((result) => result.faults),
  };
}
