import {
  type BoundType,
  type BoundValue,
  escapedPlaceholderEnd,
  placeholderEnd,
  placeholderName,
  positionAt,
  readSqlTokens,
  type SqlDialect,
  type SqlPosition,
  type SqlToken,
} from '@svc/connectors';
import { plural } from '@svc/contract';
import { RunSqlRefusal } from '../refusal.ts';
import { parseParameterValue } from './parameter-values.ts';

/** Declaration of a parameter in a query. */
export type ParameterDeclaration = {
  readonly name: string;
  readonly type: BoundType;
  /** Used if no value is given. */
  readonly defaultValue?: unknown;
  /** A required parameter without value and default is refused. An optional one is bound as NULL. Default true. */
  readonly isRequired?: boolean;
};

/** Declared parameters and the values of this run, by name. */
export type RunParameters = {
  readonly declared: readonly ParameterDeclaration[];
  readonly values: Readonly<Record<string, unknown>>;
};

/** Values by parameter name, checked against the declarations. */
export type BoundParameters = ReadonlyMap<string, BoundValue>;

/** Checks values against their declarations. Throws a refusal that names the parameter. */
export function bindParameters({ declared, values }: RunParameters): BoundParameters {
  const bound = new Map<string, BoundValue>();
  for (const declaration of declared) {
    if (bound.has(declaration.name)) {
      throw new RunSqlRefusal('invalid-parameter', `The parameter ${declaration.name} is declared twice.`);
    }
    bound.set(declaration.name, bindOne(declaration, givenValue(values, declaration.name)));
  }
  for (const name of Object.keys(values)) {
    if (!bound.has(name))
      throw new RunSqlRefusal('unknown-parameter', `There is no parameter called ${name}.`);
  }
  return bound;
}

const givenValue = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function bindOne(declaration: ParameterDeclaration, requestValue: unknown): BoundValue {
  const value = requestValue ?? declaration.defaultValue ?? null;
  if (value === null && (declaration.isRequired ?? true)) {
    throw new RunSqlRefusal('missing-parameter', `The parameter ${declaration.name} needs a value.`, {
      parameter: declaration.name,
    });
  }
  return parseParameterValue(declaration.name, declaration.type, value);
}

const sqlLengthMax = 1_000_000;

/** A statement with its placeholders replaced by the engine's markers. */
export type CompiledStatement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  /** Maps a position of the compiled text to the written text. */
  readonly toWritten: (position: SqlPosition) => SqlPosition;
};

/**
 * Replaces `{{name}}` by markers in one pass over the text. Values never become text. Inside quotes `{{{{name}}}}` becomes
 * the text `{{name}}`. Throws for an undeclared placeholder, and for one inside quotes, where a marker would be text.
 */
export function compileStatement(
  sql: string,
  dialect: SqlDialect,
  bound: BoundParameters,
): CompiledStatement {
  if (sql.length > sqlLengthMax) {
    throw new RunSqlRefusal(
      'syntax-refused',
      `The statement has more than ${plural(sqlLengthMax, 'character')}.`,
    );
  }
  const values: BoundValue[] = [];
  const numbers = new Map<string, number>();
  const edited = createEditedText(sql);
  const tokens = readSqlTokens(sql, dialect);
  const surplus = surplusSemicolons(sql, tokens);
  for (const token of tokens) {
    if (surplus.has(token)) edited.replace(token.start, token.end, ' ');
    if (token.kind === 'string' || token.kind === 'identifier') writeEscaped(sql, token, edited);
    if (token.kind === 'marker') refuseMarker(sql, token);
    if (token.kind !== 'placeholder') continue;
    const name = placeholderName(sql, token);
    const value = bound.get(name);
    if (!value) refuseUnknown(sql, token, name);
    const number = dialect.areMarkersNumbered ? numbers.get(name) : undefined;
    if (number === undefined) values.push(value);
    numbers.set(name, number ?? values.length);
    edited.replace(token.start, token.end, dialect.marker(number ?? values.length, value));
  }
  return { sql: edited.text(), values, toWritten: edited.toWritten };
}

type EditedText = ReturnType<typeof createEditedText>;

/** Writes `{{name}}` for each `{{{{name}}}}` inside quotes. */
function writeEscaped(sql: string, token: SqlToken, edited: EditedText): void {
  for (const { start, end } of escapesInside(sql, token))
    edited.replace(start, end, sql.slice(start + 2, end - 2));
}

/** Creates an editor that replaces parts from left to right and maps positions back to the written text. */
function createEditedText(sql: string) {
  const edits: Edit[] = [];
  let text = '';
  let copiedTo = 0;
  return {
    replace: (start: number, end: number, replacement: string): void => {
      text += sql.slice(copiedTo, start);
      edits.push({
        writtenStart: start,
        writtenEnd: end,
        start: text.length,
        end: text.length + replacement.length,
      });
      text += replacement;
      copiedTo = end;
    },
    text: (): string => text + sql.slice(copiedTo),
    toWritten: (position: SqlPosition): SqlPosition => toWritten(sql, edits, position),
  };
}

/** Returns the semicolons after the first one at the end of the text. They end empty statements. */
function surplusSemicolons(sql: string, tokens: readonly SqlToken[]): ReadonlySet<SqlToken> {
  const isComment = ({ kind }: SqlToken) => kind === 'comment';
  const isSemicolon = ({ kind, start }: SqlToken) => kind === 'symbol' && sql[start] === ';';
  const last = tokens.findLastIndex((token) => !isComment(token) && !isSemicolon(token));
  return new Set(
    last === -1
      ? []
      : tokens
          .slice(last + 1)
          .filter(isSemicolon)
          .slice(1),
  );
}

type Edit = { writtenStart: number; writtenEnd: number; start: number; end: number };

function toWritten(sql: string, edits: readonly Edit[], position: SqlPosition): SqlPosition {
  let shift = 0;
  for (const edit of edits) {
    if (position.offset < edit.start) break;
    if (position.offset < edit.end) return positionAt(sql, edit.writtenStart);
    shift = edit.writtenEnd - edit.end;
  }
  return positionAt(sql, position.offset + shift);
}

/** Finds escaped placeholders inside quotes. Throws for a placeholder without the escape. */
function escapesInside(sql: string, token: SqlToken): { readonly start: number; readonly end: number }[] {
  const escapes: { start: number; end: number }[] = [];
  let at = sql.indexOf('{{', token.start);
  while (at !== -1 && at < token.end) {
    const escapeEnd = escapedPlaceholderEnd(sql, at);
    if (escapeEnd !== undefined && escapeEnd <= token.end) {
      escapes.push({ start: at, end: escapeEnd });
      at = sql.indexOf('{{', escapeEnd);
      continue;
    }
    const end = placeholderEnd(sql, at);
    if (end !== undefined && end <= token.end) refuseInside(sql, at, end);
    at = sql.indexOf('{{', at + 1);
  }
  return escapes;
}

function refuseInside(sql: string, start: number, end: number): never {
  const placeholder = sql.slice(start, end);
  throw new RunSqlRefusal(
    'misplaced-parameter',
    `The placeholder ${placeholder} is inside quotes. Write it without quotes: its value is bound, not pasted in. For the text ${placeholder} itself, write {{${placeholder}}}.`,
    { position: positionAt(sql, start) },
  );
}

function refuseMarker(sql: string, token: SqlToken): never {
  const marker = sql.slice(token.start, token.end);
  throw new RunSqlRefusal(
    'misplaced-parameter',
    `${marker} is a parameter marker of the database. Write a parameter as {{name}}.`,
    { position: positionAt(sql, token.start) },
  );
}

function refuseUnknown(sql: string, token: SqlToken, name: string): never {
  throw new RunSqlRefusal('unknown-parameter', `There is no parameter called ${name}.`, {
    position: positionAt(sql, token.start),
  });
}
