import { functionMatcher, refuseStatement } from '../../sql/read-only-gate.ts';
import { tooComplex } from '../parser/parse.ts';
import { fieldsOf, namesOf, nodeOf, type PgFields, type PgNode, type PgStatement } from '../parser/tree.ts';
import { postgresqlRules } from '../rules.ts';
import { firstWordOf } from './first-word.ts';
import { fixedFields, readNodeKinds } from './node-kinds.ts';

type RefusalCode = Parameters<typeof refuseStatement>[0];
type Refuse = (code: RefusalCode, message: string) => never;

/**
 * Throws unless the syntax tree is one read: a SELECT, VALUES, TABLE, SHOW, or EXPLAIN of the first three. It must
 * have no writing part, lock, or function with effects outside its result.
 */
export function assertRead(sql: string, statements: readonly PgStatement[]): void {
  const [first, second] = statements;
  if (!first) refuseStatement('empty-statement', 'There is no statement.', sql, 0);
  if (second)
    refuseStatement(
      'more-than-one-statement',
      'Only one statement may be run at a time.',
      sql,
      offsetOf(sql, second.byteOffset),
    );
  assertKind(sql, first);
  assertNodes(sql, first);
}

function assertKind(sql: string, { node, byteOffset }: PgStatement): void {
  if (node.kind === 'SelectStmt' || node.kind === 'VariableShowStmt') return;
  const at = offsetOf(sql, byteOffset);
  if (node.kind !== 'ExplainStmt') refuseFirstWord(sql, at);
  const explained = nodeOf(node.fields['query']);
  if (explained?.kind !== 'SelectStmt')
    refuseStatement('not-a-read', 'Only a read may be explained here.', sql, at);
}

/** Refuses a statement because of its first word. */
export function refuseFirstWord(sql: string, at: number): never {
  const allowed = [...postgresqlRules.firstWords].map((name) => name.toUpperCase()).join(', ');
  const word = firstWordOf(sql).toUpperCase();
  const what = word === '' ? 'This' : `A statement that starts with ${word}`;
  refuseStatement('not-a-read', `${what} is not a read. A statement starts with one of ${allowed}.`, sql, at);
}

type Pending = { readonly value: unknown; readonly byteOffset: number; readonly depth: number };

/** Maximum depth of nodes and lists: a chain of 2,000 operators. Later readers of the tree recurse. */
const depthMax = 4_000;

/** Visits every node. It does not recurse, because the depth of a chain of operators equals its length. */
function assertNodes(sql: string, { node, byteOffset }: PgStatement): void {
  const pending: Pending[] = [{ value: { [node.kind]: node.fields }, byteOffset, depth: 0 }];
  const refuseAt =
    (at: number) =>
    (code: RefusalCode, message: string): never =>
      refuseStatement(code, message, sql, offsetOf(sql, at));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > depthMax) refuseAt(next.byteOffset)('syntax-refused', tooComplex);
    if (Array.isArray(value)) {
      for (const item of value) pending.push({ value: item, byteOffset: next.byteOffset, depth: depth + 1 });
      continue;
    }
    const visited = nodeOf(value);
    const fields = visited?.fields ?? fieldsOf(value);
    if (!fields) continue;
    const at = locationOf(fields) ?? next.byteOffset;
    if (visited) assertNode(visited, refuseAt(at));
    assertClauses(fields, refuseAt(at));
    for (const child of childrenOf(fields, refuseAt(at)))
      pending.push({ value: child, byteOffset: at, depth: depth + 1 });
  }
}

/** Returns lists, nodes, and the structures of fields that the gate lists. Refuses any other structure. */
function childrenOf(fields: PgFields, refuse: Refuse): unknown[] {
  return Object.entries(fields).flatMap(([name, child]) => {
    if (typeof child !== 'object' || child === null) return [];
    const isKnown = Array.isArray(child) || nodeOf(child) !== undefined || fixedFields.has(name);
    if (!isKnown && !isEmpty(child)) refuse('not-a-read', unnamed(name));
    return [child];
  });
}

const unnamed = (what: string): string => `The statement holds a part that is not known to read (${what}).`;

/** A node without fields is `{"A_Star": {}}`, and a structure without values is `{}`. */
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const locationOf = ({ location }: PgFields): number | undefined =>
  typeof location === 'number' && location >= 0 ? location : undefined;

function assertNode({ kind, fields }: PgNode, refuse: Refuse): void {
  if (!readNodeKinds.has(kind)) refuse('not-a-read', writingKind.test(kind) ? writing : unnamed(kind));
  if (kind === 'LockingClause') refuse('not-a-read', 'A read must not lock rows (FOR UPDATE, FOR SHARE).');
  if (kind === 'FuncCall') {
    const name = (namesOf(fields['funcname']).at(-1) ?? '').toLowerCase();
    if (isRefusedFunction(name)) refuse('function-refused', `The function ${name} is not available here.`);
  }
}

const isRefusedFunction = functionMatcher(postgresqlRules.refusedFunctions);
const writingKind = /^(?:Insert|Update|Delete|Merge)Stmt$/;
const writing = 'Only a read may stand in WITH: INSERT, UPDATE, DELETE and MERGE are not available here.';

function assertClauses(fields: PgFields, refuse: Refuse): void {
  if (fields['intoClause'] !== undefined)
    refuse('not-a-read', 'SELECT … INTO is not available here: it makes a table.');
}

/** Converts a UTF-8 offset to a UTF-16 offset. */
export function offsetOf(sql: string, byteOffset: number): number {
  return Buffer.from(sql).subarray(0, byteOffset).toString().length;
}
