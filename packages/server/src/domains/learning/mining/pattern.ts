import type { PatternKind } from '@svc/contract';

/** Content of a pattern, in names of the schema. */
export type PatternContent =
  | {
      readonly kind: 'SchemaCorrection';
      readonly of: 'Table' | 'Column';
      readonly wrong: string;
      readonly right: string;
    }
  | {
      readonly kind: 'JoinPattern';
      readonly column: string;
      readonly otherTable: string;
      readonly otherColumn: string;
    }
  | { readonly kind: 'CommonQuery'; readonly tables: readonly string[]; readonly statement: string }
  | {
      readonly kind: 'DocumentationGap';
      readonly columns: readonly string[];
      readonly joined: readonly string[];
    }
  | { readonly kind: 'BusinessTerm'; readonly term: string; readonly meaning: string };

export type Pattern = {
  readonly kind: PatternKind;
  /** Unique key of the pattern. A repeated pattern has the same identity. */
  readonly identity: string;
  readonly table: string;
  readonly column: string | null;
  readonly content: PatternContent;
  readonly signalCount: number;
  readonly callerCount: number;
};

/** Minimum number of callers, or of signals, so that one caller's mistake does not become a pattern. */
const callersMin = 2;
const signalsMin = 5;

export const isSupported = ({ callerCount, signalCount }: Pattern): boolean =>
  callerCount >= callersMin || signalCount >= signalsMin;

type Told = { readonly table: string; readonly content: PatternContent };

/** Formats a pattern as one sentence. */
export function patternText({ table, content }: Told): string {
  switch (content.kind) {
    case 'SchemaCorrection':
      return content.of === 'Table'
        ? `There is no table ${content.wrong}: ${content.right} is meant.`
        : `${table} has no column ${content.wrong}: ${content.right} is meant.`;
    case 'JoinPattern':
      return `${table}.${content.column} joins ${content.otherTable}.${content.otherColumn}.`;
    case 'CommonQuery':
      return `Often asked of ${content.tables.join(', ')}: ${content.statement}`;
    case 'DocumentationGap':
      return `Statements about ${table} are often refused, and nothing describes it.`;
    case 'BusinessTerm':
      return `${content.term} is ${content.meaning} of ${table}.`;
  }
}

const code = (text: string): string => `\`${text.replaceAll('`', '')}\``;
const list = (names: readonly string[]): string => names.map(code).join(', ');

/** Formats a pattern as Markdown for a project's documentation. */
export function patternNote({ table, content }: Told): string {
  switch (content.kind) {
    case 'SchemaCorrection':
      return content.of === 'Table'
        ? `- ${code(content.wrong)} is no table: use ${code(content.right)}.`
        : `- ${code(content.wrong)} is no column of ${code(table)}: use ${code(content.right)}.`;
    case 'JoinPattern':
      return `- ${code(`${table}.${content.column}`)} joins ${code(`${content.otherTable}.${content.otherColumn}`)}.`;
    case 'CommonQuery':
      return `- Often asked of ${list(content.tables)}: ${code(content.statement)}`;
    case 'DocumentationGap':
      return [
        `- ${code(table)} is asked about often, and its statements are often refused.`,
        content.columns.length > 0 ? ` Columns that are used most: ${list(content.columns)}.` : '',
        content.joined.length > 0 ? ` It is joined with ${list(content.joined)}.` : '',
      ].join('');
    case 'BusinessTerm':
      return `- **${content.term.replaceAll(/[^\p{L}\p{N}_]/gu, '')}** is ${code(content.meaning)} of ${code(table)}.`;
  }
}

/** Returns the names that a pattern depends on. It is superseded when the schema loses one of them. */
export function namesOf({
  table,
  content,
}: Told): { readonly table: string; readonly column: string | null }[] {
  switch (content.kind) {
    case 'SchemaCorrection':
      return content.of === 'Table'
        ? [{ table: content.right, column: null }]
        : [{ table, column: content.right }];
    case 'JoinPattern':
      return [
        { table, column: content.column },
        { table: content.otherTable, column: content.otherColumn },
      ];
    case 'CommonQuery':
      return content.tables.map((one) => ({ table: one, column: null }));
    default:
      return [{ table, column: null }];
  }
}
