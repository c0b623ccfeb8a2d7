import type { Batch, Cell, Column, SqlDialect } from '@svc/connectors';
import { isCardNumber, smallestCardNumber } from './card-numbers.ts';
import { exposureReasons } from './exposure.ts';
import { looksNested, maskJson, namesPersonalMember } from './json-values.ts';
import { type Pattern, parsePattern } from './pattern.ts';
import type { MaskingReason } from './reasons.ts';
import { isPersonalName, type MaskingRules, maskText } from './rules.ts';
import { statementTextColumns } from './statement-texts.ts';
import { holdsPersonalValue } from './values.ts';

/** Masks the rows of one statement. */
export type Masker = {
  readonly mask: (batch: Batch) => Batch;
  /** Indexes of columns that are masked as a whole, and of columns with a masked value so far. */
  readonly maskedColumns: () => readonly number[];
  /** Returns the reason why a column is masked, or null if it is not masked so far. */
  readonly reasonOf: (column: number) => MaskingReason | null;
  /** Returns true for a column that is masked as a whole. Known before the first row. */
  readonly isWholeColumn: (column: number) => boolean;
  /** Returns true if values of the column may be masked, all or some. */
  readonly mayMask: (column: number) => boolean;
};

export type MaskerInput = {
  readonly rules: MaskingRules;
  readonly sql: string;
  readonly dialect: SqlDialect;
  readonly columns: readonly Column[];
  /** Lower-case names of columns with personal data in the steps that this statement reads. */
  readonly carriedNames?: ReadonlySet<string>;
};

/** Returns the operator's patterns, or undefined if one of them is invalid: then everything is masked. */
function customPatterns(rules: MaskingRules): readonly Pattern[] | undefined {
  try {
    return (rules.customPatterns ?? []).map(parsePattern);
  } catch {
    return undefined;
  }
}

/** Creates the masker of one statement. It fails closed: values that it cannot classify are masked. */
export function createMasker(input: MaskerInput): Masker {
  const { rules, columns, carriedNames } = input;
  if (!rules.isEnabled)
    return {
      mask: (batch) => batch,
      maskedColumns: () => [],
      reasonOf: () => null,
      isWholeColumn: () => false,
      mayMask: () => false,
    };
  const patterns = customPatterns(rules);
  const texts = statementTextColumns(input.sql, input.dialect);
  const isPersonal = (name: string): boolean =>
    isPersonalName(name) ||
    (carriedNames?.has(name.toLowerCase()) ?? false) ||
    texts.has(name.toLowerCase()) ||
    (patterns?.some((pattern) => pattern.occursIn(name)) ?? true);
  const reasons: readonly (MaskingReason | null)[] = patterns
    ? exposureReasons({ ...input, isPersonal })
    : columns.map(() => ({ kind: 'Patterns' }));
  const isWhole = reasons.map((reason) => reason !== null);
  const masked = new Set(isWhole.flatMap((is, index) => (is ? [index] : [])));

  const holds = (text: string): boolean =>
    holdsPersonalValue(text) || (patterns?.some((pattern) => pattern.occursIn(text)) ?? true);
  const maskDocument = (text: string): Cell => {
    const masked = maskJson(text, { isPersonal, holds });
    if (masked === undefined && namesPersonalMember(text, isPersonal)) return maskText(text);
    return maskValue(masked ?? text, holds);
  };
  const maskCell = (cell: Cell, column: Column): Cell => {
    if (typeof cell !== 'string') return maskValue(cell, holds);
    if (column.kind === 'json')
      return maskJson(cell, { isPersonal, holds }) ?? JSON.stringify(maskText(cell));
    if (column.kind === 'decimal' && shortDecimal.test(cell)) return maskDecimal(cell, holds);
    return looksNested(cell) ? maskDocument(cell) : maskValue(cell, holds);
  };

  function maskColumn(cells: readonly Cell[], index: number): readonly Cell[] {
    const column = columns[index];
    if (!column) return cells;
    if (isWhole[index]) return cells.map((cell) => maskWhole(cell, column));
    if (!mayHoldPersonal(column)) return cells;
    let changed: Cell[] | undefined;
    // An index loop: an iterator would allocate one pair per row, for up to a million rows.
    for (let row = 0; row < cells.length; row += 1) {
      const cell = cells[row];
      if (cell === undefined || cell === null || typeof cell === 'boolean') continue;
      const replaced = maskCell(cell, column);
      if (replaced === cell) continue;
      changed ??= [...cells];
      changed[row] = replaced;
    }
    if (changed) masked.add(index);
    return changed ?? cells;
  }

  return {
    mask: (batch) => ({ rowCount: batch.rowCount, columns: batch.columns.map(maskColumn) }),
    maskedColumns: () => [...masked].sort((one, other) => one - other),
    reasonOf: (index) => reasons[index] ?? (masked.has(index) ? { kind: 'Values' } : null),
    isWholeColumn: (index) => isWhole[index] ?? true,
    mayMask: (index) => {
      const column = columns[index];
      return column === undefined || (isWhole[index] ?? true) || mayHoldPersonal(column);
    },
  };
}

/** Kinds whose values have a fixed form that cannot be personal data. */
const plainKinds = new Set<Column['kind']>([
  'boolean',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'interval',
  'uuid',
]);

const mayHoldPersonal = (column: Column): boolean => !plainKinds.has(column.kind);

function maskWhole(cell: Cell, column: Column): Cell {
  if (cell === null) return null;
  const masked = maskText(String(cell));
  return column.kind === 'json' ? JSON.stringify(masked) : masked;
}

/** A decimal text that would be a number if its scale were not preserved. */
const shortDecimal = /^-?(?=[\d.]{1,16}$)(?:\d{1,15}|\d+\.\d+)$/;

function maskDecimal(text: string, holds: (text: string) => boolean): Cell {
  const value = Number(text);
  return maskValue(value, holds) === value ? text : maskText(text);
}

function maskValue(cell: Cell, holds: (text: string) => boolean): Cell {
  // A number with fewer digits than a card number needs no check.
  if (typeof cell === 'number') {
    const size = Math.abs(cell);
    return size >= smallestCardNumber && isCardNumber(String(size)) ? maskText(String(cell)) : cell;
  }
  return typeof cell === 'string' && holds(cell) ? maskText(cell) : cell;
}
