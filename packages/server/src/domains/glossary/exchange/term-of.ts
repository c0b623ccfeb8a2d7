import {
  type GlossaryColumn,
  type GlossaryInput,
  type GlossaryTarget,
  glossaryLimits,
  plural,
} from '@svc/contract';
import { contentOf } from '../content.ts';
import type { TermContent } from '../store.ts';
import type { TermRecord } from './read.ts';
import { readSynonyms } from './synonyms-text.ts';

/** Reason why a record is not a valid term. */
export type Refused = { readonly column: GlossaryColumn | null; readonly message: string };

export type Known = {
  /** The existing term of the project; null for a new term. */
  readonly before: TermContent | null;
  readonly sources: readonly { readonly id: number; readonly name: string }[];
};

class NoTerm extends Error {
  override readonly name = 'NoTerm';
  readonly refused: Refused;

  constructor(column: GlossaryColumn, message: string) {
    super(message);
    this.refused = { column, message };
  }
}

const bounded = (column: GlossaryColumn, text: string, lengthMax: number): string => {
  if (text.length > lengthMax) throw new NoTerm(column, `is longer than ${plural(lengthMax, 'character')}`);
  return text;
};
const needed = (column: GlossaryColumn, text: string, lengthMax: number): string => {
  if (text.trim() === '') throw new NoTerm(column, 'is empty');
  return bounded(column, text, lengthMax);
};

function sourceOf(text: string, sources: Known['sources']): number | null {
  const name = text.trim();
  if (name === '') return null;
  const [match, ...more] = sources.filter((source) => source.name === name);
  if (!match) throw new NoTerm('dataSource', 'is no data source of the project');
  if (more.length > 0) throw new NoTerm('dataSource', 'is the name of several data sources of the project');
  return match.id;
}

function synonymsOf(text: string): string[] {
  const synonyms = readSynonyms(text);
  if (synonyms.length > glossaryLimits.synonyms)
    throw new NoTerm('synonyms', `are more than ${glossaryLimits.synonyms}`);
  return synonyms.map((synonym) => bounded('synonyms', synonym, glossaryLimits.termLength));
}

function targetOf(cell: TermRecord['cell']): GlossaryTarget | null {
  const name = (column: 'schema' | 'table' | 'column') =>
    bounded(column, (cell(column) ?? '').trim(), glossaryLimits.nameLength);
  const [schema, table, column] = [name('schema'), name('table'), name('column')];
  if (table !== '') return { schema, table, column: column === '' ? null : column };
  if (schema !== '' || column !== '') throw new NoTerm('table', 'is missing beside a schema or a column');
  return null;
}

function activeOf(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (word === '' || word === 'true') return true;
  if (word === 'false') return false;
  throw new NoTerm('isActive', 'is neither true nor false');
}

/** Returns the input from a record. Columns missing from the document retain the values of an existing term. */
function inputOf({ cell }: TermRecord, { before, sources }: Known): GlossaryInput {
  const given = <T>(column: GlossaryColumn, read: (text: string) => T, otherwise: T): T => {
    const text = cell(column);
    return text === undefined ? otherwise : read(text);
  };
  const { termLength, definitionLength, metricLength } = glossaryLimits;
  return {
    term: needed('term', cell('term') ?? '', termLength),
    synonyms: given('synonyms', synonymsOf, [...(before?.synonyms ?? [])]),
    definition: needed('definition', cell('definition') ?? before?.definition ?? '', definitionLength),
    dataSourceId: given('dataSource', (text) => sourceOf(text, sources), before?.dataSourceId ?? null),
    target: given('table', () => targetOf(cell), before?.target ?? null),
    metricExpression: given(
      'metricExpression',
      (text) => bounded('metricExpression', text, metricLength),
      before?.metricExpression ?? null,
    ),
    isActive: given('isActive', activeOf, before?.isActive ?? true),
  };
}

/** Converts a record to a term, or returns its refusal. */
export function termOf(record: TermRecord, context: Known): TermContent | Refused {
  try {
    return contentOf(inputOf(record, context));
  } catch (error) {
    if (error instanceof NoTerm) return error.refused;
    throw error;
  }
}
