import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Codes that an error brings along from below, listed by a union of its own. */
export type HandedOnCodes = {
  readonly title: string;
  readonly codes: readonly { readonly code: string; readonly explanation: string }[];
};

/** Errors whose codes become problem codes as they are: their class, and where the union of their codes stands. */
const sources = [
  {
    errorClass: 'ConnectorError',
    title: 'From data sources: 400, 422 or 424',
    file: 'packages/connectors/src/error.ts',
    union: 'ConnectorErrorCode',
  },
  {
    errorClass: 'RunSqlRefusal',
    title: 'From running SQL: 400, 422, 424 or 429',
    file: 'packages/server/src/doors/run-sql/refusal.ts',
    union: 'RunSqlCode',
  },
] as const;

/** True when the text speaks of an error class whose codes are handed on, so that `error.code` is documented. */
export const handsOnCodes = (text: string): boolean =>
  sources.some(({ errorClass }) => new RegExp(`\\b${errorClass}\\b`).test(text));

/**
 * Reads the unions; the comment before a member explains it.
 *
 * @throws Error when a union is not where it is said to be.
 */
export function readHandedOnCodes(root: string): HandedOnCodes[] {
  return sources.map(({ file, union, title }) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const alias = source.statements.find(
      (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === union,
    );
    if (!alias || !ts.isTypeAliasDeclaration(alias) || !ts.isUnionTypeNode(alias.type))
      throw new Error(`${file} declares no union ${union}, which tools/docs/handed-on-codes.ts reads.`);
    const { types } = alias.type;
    const codes = types.flatMap((member, index) =>
      codeOf(member, text.slice(types[index - 1]?.end ?? alias.type.pos, member.getStart())),
    );
    return { title, codes };
  });
}

/** `before`: what stands between the member and the one before it, such as a comment. */
function codeOf(member: ts.TypeNode, before: string): { code: string; explanation: string }[] {
  if (!ts.isLiteralTypeNode(member) || !ts.isStringLiteral(member.literal)) return [];
  const [, comment] = /\/\*\*(.*)\*\//s.exec(before) ?? [];
  const explanation = comment?.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim() ?? '';
  return [{ code: member.literal.text, explanation }];
}
