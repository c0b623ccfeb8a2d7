/**
 * SQL tokens in which a semicolon does not end the statement: line comments, quoted names, strings with and without
 * backslash escapes, dollar quotes. All other text is read per character. Block comments nest, so `blockComment` reads
 * them.
 */
const opaque =
  /--[^\n]*|"(?:[^"]|"")*"|\b[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|(?<![\w$])\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?\$\1\$/y;

/** Splits SQL text into its statements, without their semicolons. Parts that contain only comments are dropped. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  let hasCode = false;
  const finish = (): void => {
    if (hasCode) statements.push(current.trim());
    current = '';
    hasCode = false;
  };
  for (let at = 0; at < sql.length; ) {
    const comment = blockComment(sql, at);
    opaque.lastIndex = at;
    const piece = comment ?? opaque.exec(sql)?.[0] ?? sql.charAt(at);
    at += piece.length;
    if (piece === ';') {
      finish();
      continue;
    }
    current += piece;
    hasCode ||= comment === undefined && !piece.startsWith('--') && piece.trim() !== '';
  }
  finish();
  return statements;
}

function blockComment(sql: string, start: number): string | undefined {
  if (!sql.startsWith('/*', start)) return undefined;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return sql.slice(start, marks.lastIndex);
  }
  return sql.slice(start);
}

const headMark = /^--\s*svc:\s*no-transaction\s*$/;

/** Returns true when a comment line before the first statement reads `-- svc: no-transaction`. */
export function runsOutsideTransaction(sql: string): boolean {
  for (const line of sql.split('\n')) {
    const text = line.trim();
    if (headMark.test(text)) return true;
    if (text !== '' && !text.startsWith('--')) return false;
  }
  return false;
}

const concurrentIndex = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w."]+)/i;
const concurrentDrop = /^drop\s+index\s+concurrently\s+if\s+exists\s+([\w."]+)/i;

/**
 * Requires that a file drops each index before it creates the index concurrently. An interrupted build leaves an
 * invalid index, which `if not exists` would accept as valid.
 *
 * @throws Error that names the file and the index.
 */
export function requireRerunnable(name: string, statements: readonly string[]): void {
  const dropped = new Set<string>();
  for (const statement of statements.map(withoutLeadingComments)) {
    const drop = concurrentDrop.exec(statement)?.[1];
    if (drop !== undefined) dropped.add(nameOnly(drop));
    const index = concurrentIndex.exec(statement)?.[1];
    if (index === undefined || dropped.has(nameOnly(index))) continue;
    throw new Error(
      `The migration ${name} runs outside a transaction and could not be run again after it was cut short: put "drop index concurrently if exists ${index}" before the index is created.`,
    );
  }
}

const withoutLeadingComments = (statement: string): string => {
  let rest = statement.trimStart();
  for (;;) {
    const comment = blockComment(rest, 0) ?? /^--[^\n]*/.exec(rest)?.[0];
    if (comment === undefined) return rest;
    rest = rest.slice(comment.length).trimStart();
  }
};

/** Returns the bare name in lower case. An index is created by its bare name and dropped by its qualified name. */
const nameOnly = (qualified: string): string => qualified.split('.').at(-1)?.toLowerCase() ?? qualified;
