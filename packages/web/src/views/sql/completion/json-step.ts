import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { SQLDialect } from '@codemirror/lang-sql';
import type { SqlNames } from './sql-completion.ts';

/**
 * Dialect for steps of a REST API. They are JSON in which `{{name}}` represents a value, so JSON determines the
 * colours.
 */
export const jsonStepDialect = SQLDialect.define({
  keywords: 'true false null',
  types: '',
  doubleQuotedStrings: true,
  backslashEscapes: true,
  identifierQuotes: '`',
});

/** Returns a proposed step that reads an endpoint. */
export function stepFor(path: string, rows = ''): string {
  const params = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => `${JSON.stringify(name)}: `);
  const parts = [
    `"path": ${JSON.stringify(path)}`,
    ...(params.length > 0 ? [`"params": {${params.join(', ')}}`] : []),
    ...(rows === '' ? [] : [`"rows": ${JSON.stringify(rows)}`]),
  ];
  return `{${parts.join(', ')}}`;
}

/** Completes endpoints after `"path":`, members of a step, and parameters after `{{`. */
export function completeStep(names: SqlNames) {
  return (context: CompletionContext): CompletionResult | null => {
    const parameter = context.matchBefore(/\{\{\s*\w*/);
    if (parameter) {
      return {
        from: parameter.from + (/^\{\{\s*/.exec(parameter.text)?.[0].length ?? 2),
        options: names.parameters.map((name) => ({ label: name, apply: `${name}}}`, type: 'variable' })),
        validFor: /^\w*$/,
      };
    }
    const paths = names.tables.map(({ name }) => name);
    const path = context.matchBefore(/"path"\s*:\s*"[^"]*/);
    if (path) {
      const from = path.from + path.text.lastIndexOf('"') + 1;
      return {
        from,
        options: paths.map((label): Completion => ({ label, type: 'class' })),
        validFor: /^[^"]*$/,
      };
    }
    if (!context.explicit || context.state.doc.toString().trim() !== '') return null;
    return {
      from: 0,
      options: paths.map((label): Completion => ({ label, apply: stepFor(label), type: 'class' })),
    };
  };
}
