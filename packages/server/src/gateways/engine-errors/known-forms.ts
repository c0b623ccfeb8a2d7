import type { EngineName } from '@svc/connectors';

const hidden = '***';

/**
 * Forms of messages that are passed on, for engines that do not report whether a row was read before the error. A group is
 * a literal: it is passed on if the statement contains it. The group `dropped` and the text after the form are removed.
 */
const forms: Readonly<Record<EngineName, readonly RegExp[]>> = {
  PostgreSQL: [
    /^permission denied for (?:table|view|schema|function|sequence|column|relation|foreign server|database) (.+)$/,
    /^cannot execute (?:INSERT|UPDATE|DELETE|MERGE|SELECT FOR (?:NO KEY )?UPDATE|SELECT FOR (?:KEY )?SHARE|(\w+)\(\)) in a read-only transaction$/,
    /^canceling statement due to (?:statement timeout|user request|lock timeout)$/,
    /^out of memory$/,
    /^relation "(.+)" does not exist$/,
    /^function (.+) does not exist$/,
    /^more than one row returned by a subquery used as an expression$/,
    /^each (?:UNION|INTERSECT|EXCEPT) query must have the same number of columns$/,
    /^division by zero$/,
  ],
  MySQL: [
    /^You have an error in your SQL syntax; check the manual that corresponds to your (?:MySQL|MariaDB) server version for the right syntax to use near '([\s\S]*)'(?= at line \d+$)/,
    /^Unknown column '(.+?)' in '(?:field list|where clause|on clause|order clause|group statement|having clause|SELECT|WHERE|ON|ORDER BY|GROUP BY|HAVING)'$/,
    /^Table '(?<dropped>[^'.]+\.)?(.+)' doesn't exist$/,
    /^FUNCTION (?<dropped>[^\s.]+\.)?(\S+) does not exist$/,
    /^Illegal mix of collations/,
    /^COLLATION '(.+)' is not valid for CHARACTER SET '(.+)'$/,
    /^Illegal parameter data types? (\w+)(?: and (\w+))? for operation '(.+)'$/,
    /^Column '(.+)' in (?:field list|where clause|order clause|on clause|group statement|having clause) is ambiguous$/,
    /^Invalid use of group function$/,
    /^The used SELECT statements have a different number of columns$/,
    /^Subquery returns more than 1 row$/,
    /^Operand should contain \d column\(s\)$/,
    /^Every derived table must have its own alias$/,
    /^Not unique table\/alias: '(.+)'$/,
    /^(?:SELECT|EXECUTE) command denied to user (.+) for (?:table|column|routine) (.+)$/,
    /^Incorrect parameter count in the call to native function '(\w+)'$/,
    /^Query execution was interrupted/,
    /^Division by 0$/,
  ],
  // Messages about the statement's text are recognised by their origin.
  SQLite: [/^(?:integer overflow|malformed JSON|datatype mismatch)$/],
  DuckDB: [],
  ClickHouse: [
    /^Syntax error(?=: failed at position \d)/,
    /^Unknown (?:table |function )?(?:expression |expression or function )?identifier [`'](.+?)[`'](?= in scope|:|$)/,
    /^Missing columns: '(.+?)' while processing/,
    /^Table (\S+) (?:does not|doesn't) exist/,
    /^Unknown table expression identifier '(.+?)'/,
    /^(?:Unknown function|Function with name) [`'"]?(\w+)[`'"]?(?: does not exist)?/,
    /^Division by zero$/,
    /^Scalar subquery returned more than one row$/,
  ],
  SqlServer: [
    /^Incorrect syntax near (?:the keyword )?'(.+)'\.$/,
    /^Invalid (?:column|object) name '(.+)'\.$/,
    /^'(.+)' is not a recognized (?:built-in )?function name\.$/,
    /^The multi-part identifier "(.+)" could not be bound\.$/,
    /^Ambiguous column name '(.+)'\.$/,
    /^Column '(.+)' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause\.$/,
    /^Divide by zero error encountered\.$/,
    /^Must declare the scalar variable "(.+)"\.$/,
    /^The SELECT permission was denied on the object '(.+)', database '(.+)', schema '(.+)'\.$/,
    /^Arithmetic overflow error converting expression to data type \w{1,20}\.$/,
  ],
  Rest: [],
  BigQuery: [
    /^Unrecognized name: (\S+?)(?=$|; Did you mean| at \[)/,
    /^(?:Function not found|Table not found|Not found: (?:Table|Dataset|Column)):? (\S+?)(?=$|[;:]? | at \[)/,
    /^Syntax error: (?:Unexpected|Expected) (?:end of (?:script|statement)|keyword (\w+)|identifier "(.+?)"|string literal|integer literal|"(.{1,3})")/,
    /^Column name (\S+) is ambiguous(?= at \[|$)/,
    /^division by zero(?=:|$)/i,
    /^Access Denied: (?:Table|Dataset|Project) /,
  ],
  Snowflake: [
    /^SQL compilation error:(?<dropped> error line \d+ at position \d+)\s+invalid identifier '(.+)'/,
    /^SQL compilation error:\s+(?:Object|Schema|Database|Table|View) '(.+)' does not exist or not authorized\./,
    /^SQL compilation error:\s+syntax error(?<dropped> line \d+ at position \d+) unexpected '(.+?)'\./,
    /^SQL compilation error:\s+Unknown function (\w+)/,
    /^Division by zero$/,
  ],
  Databricks: [
    /^\[(?:UNRESOLVED_COLUMN\.(?:WITH|WITHOUT)_SUGGESTION)\] A column(?:, variable)?,? or function parameter with name (\S+) cannot be resolved\./,
    /^\[TABLE_OR_VIEW_NOT_FOUND\] The table or view (\S+) cannot be found\./,
    /^\[PARSE_SYNTAX_ERROR\] Syntax error at or near (?:'(.+?)'|end of input)/,
    /^\[UNRESOLVED_ROUTINE\] Cannot resolve routine (\S+)/,
    /^\[AMBIGUOUS_REFERENCE\] Reference (\S+) is ambiguous/,
    /^\[DIVIDE_BY_ZERO\] Division by zero\./,
  ],
};

/**
 * Returns a message of a known form, with `***` for each literal that the statement does not contain.
 *
 * @returns undefined if the message has no known form
 */
export function knownFormOf(message: string, engine: EngineName, sql: string): string | undefined {
  for (const form of forms[engine]) {
    const match = new RegExp(form.source, `${form.flags}d`).exec(message);
    if (match) return withoutForeignLiterals(match, sql);
  }
  return undefined;
}

function withoutForeignLiterals(match: RegExpExecArray, sql: string): string {
  const [matchText] = match;
  const dropped = match.indices?.groups?.['dropped'];
  let text = '';
  let copiedTo = 0;
  for (const [group, place] of (match.indices ?? []).entries()) {
    if (group === 0 || place === undefined) continue;
    if (place[0] !== dropped?.[0] && isInStatement(match[group] ?? '', sql)) continue;
    text += matchText.slice(copiedTo, place[0] - match.index) + (place[0] === dropped?.[0] ? '' : hidden);
    copiedTo = place[1] - match.index;
  }
  return text + matchText.slice(copiedTo);
}

/** Compares whole words, without case and quotes. A name may be qualified with its schema. */
function isInStatement(literal: string, sql: string): boolean {
  const text = plain(sql);
  const searched = plain(literal);
  if (searched === '') return true;
  for (let at = text.indexOf(searched); at !== -1; at = text.indexOf(searched, at + 1)) {
    const isWhole = !isWordPart(text[at - 1]) || !isWordPart(searched[0]);
    const end = at + searched.length;
    if (isWhole && (!isWordPart(text[end]) || !isWordPart(searched.at(-1)))) return true;
  }
  return false;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/["`[\]]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
