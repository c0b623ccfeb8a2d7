import Type from 'typebox';
import type { FileFormat } from './file-formats.ts';

const oneOf = <const Word extends string>(
  words: readonly Word[],
  options: {
    readonly title: string;
    readonly description: string;
    readonly [formats]: readonly FileFormat[];
  },
) => Type.Unsafe<Word>({ ...options, type: 'string', enum: [...words] });

/** Schema keyword: file formats that have the setting. Forms read it, too. */
const formats = 'x-formats';
const ofCsv = { [formats]: ['csv'] as readonly FileFormat[] };
const ofTables = { [formats]: ['csv', 'xlsx'] as readonly FileFormat[] };

/** One ASCII character, because the engine accepts a single byte. */
const oneCharacter = '^[!-~]$';
/** Types for columns of a file, in addition to decimals. */
const plainTypes = [
  'VARCHAR',
  'BOOLEAN',
  'BIGINT',
  'HUGEINT',
  'DOUBLE',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP WITH TIME ZONE',
] as const;
const typePattern = `^(${plainTypes.join('|')}|DECIMAL\\([1-9][0-9]?, ?[0-9]{1,2}\\))$`;

const widthMax = 38;

const TypedColumn = Type.Object(
  {
    column: Type.String({ title: 'Column', minLength: 1, maxLength: 255 }),
    type: Type.String({
      title: 'Type',
      description: `One of ${plainTypes.join(', ')} or DECIMAL(18, 2) with digits and decimal places.`,
      pattern: typePattern,
    }),
  },
  { additionalProperties: false },
);

/** Settings of one file. Descriptions state the defaults; most absent settings are detected. */
export const fileSettings = {
  encoding: Type.Optional(
    oneOf(['UTF-8', 'UTF-16', 'Latin-1', 'Windows-1252'], {
      ...ofCsv,
      title: 'Encoding',
      description: 'Of a CSV file. Default: detected.',
    }),
  ),
  delimiter: Type.Optional(
    Type.String({
      ...ofCsv,
      title: 'Delimiter',
      description: 'What separates the values of a CSV file; \\t is a tab. Default: detected.',
      pattern: '^[\\t -~]{1,4}$',
    }),
  ),
  quote: Type.Optional(
    Type.String({
      ...ofCsv,
      title: 'Quote',
      description: 'The character around values of a CSV file. Default: detected.',
      pattern: oneCharacter,
    }),
  ),
  hasHeader: Type.Optional(
    Type.Boolean({
      ...ofTables,
      title: 'Header',
      description:
        'Whether the first line of a CSV file or sheet has the names of the columns. Default: detected.',
    }),
  ),
  comment: Type.Optional(
    Type.String({
      ...ofCsv,
      title: 'Comment prefix',
      description: 'Lines of a CSV file that begin with it are left out. Default: detected.',
      pattern: oneCharacter,
    }),
  ),
  decimalSeparator: Type.Optional(
    oneOf(['.', ','], {
      ...ofCsv,
      title: 'Decimal separator',
      description: 'Of the numbers of a CSV file. Default: a point.',
    }),
  ),
  nullText: Type.Optional(
    Type.String({
      ...ofCsv,
      title: 'Text of NULL',
      description: 'A value of a CSV file that means NULL, as an empty one always does. Default: none.',
      minLength: 1,
      maxLength: 50,
    }),
  ),
  shortLines: Type.Optional(
    oneOf(['Refuse', 'Null'], {
      ...ofCsv,
      title: 'Lines with too few values',
      description: 'Refuse the CSV file, or read the missing values as NULL. Default: Refuse.',
    }),
  ),
  types: Type.Optional(
    Type.Array(TypedColumn, {
      ...ofTables,
      title: 'Types',
      description: 'Types of columns of a CSV file or sheet. Default: detected from all values.',
      maxItems: 500,
    }),
  ),
  sheet: Type.Optional(
    Type.String({
      [formats]: ['xlsx'] as readonly FileFormat[],
      title: 'Sheet',
      description: 'Name of the sheet of an XLSX file. Default: the first that is shown and has rows.',
      minLength: 1,
      maxLength: 31,
    }),
  ),
  table: Type.Optional(
    Type.String({
      [formats]: ['duckdb'] as readonly FileFormat[],
      title: 'Table',
      description: 'Table of a DuckDB file, in its schema main. Needed where the file has several.',
      minLength: 1,
      maxLength: 255,
    }),
  ),
} as const;

const schema = Type.Object(fileSettings);

export type FileSettings = Type.Static<typeof schema>;

const formatsOf = (setting: keyof FileSettings): readonly FileFormat[] =>
  (fileSettings[setting] as { readonly [formats]?: readonly FileFormat[] })[formats] ?? [];

/** Returns the settings of a listed file, without its name and path. */
export function settingsOf(file: FileSettings): FileSettings {
  const names = Object.keys(fileSettings) as readonly (keyof FileSettings)[];
  return Object.fromEntries(names.flatMap((name) => (file[name] === undefined ? [] : [[name, file[name]]])));
}

/** Returns the first setting that the format does not have or that contradicts another setting; undefined if none. */
export function settingFault(
  settings: FileSettings,
  format: FileFormat,
): { readonly field: string; readonly message: string } | undefined {
  for (const name of Object.keys(settingsOf(settings)) as (keyof FileSettings)[])
    if (!formatsOf(name).includes(format))
      return { field: name, message: `is not a setting of the format ${format}` };
  const { delimiter, decimalSeparator, quote, comment, nullText, types = [] } = settings;
  if (decimalSeparator === ',' && delimiter?.includes(','))
    return { field: 'decimalSeparator', message: 'is the delimiter as well' };
  if (quote !== undefined && delimiter?.includes(quote))
    return { field: 'quote', message: 'is a part of the delimiter' };
  if (comment !== undefined && (comment === quote || delimiter?.includes(comment)))
    return { field: 'comment', message: 'is the quote or a part of the delimiter' };
  if (
    nullText !== undefined &&
    [delimiter, quote, '\n', '\r'].some((part) => part && nullText.includes(part))
  )
    return { field: 'nullText', message: 'contains the delimiter, the quote or the end of a line' };
  for (const [at, { type }] of types.entries()) {
    const [, width, scale] = /^DECIMAL\(([0-9]+), ?([0-9]+)\)$/.exec(type) ?? [];
    if (width !== undefined && (Number(width) > widthMax || Number(scale) > Number(width)))
      return {
        field: `types.${at}.type`,
        message: `has at most ${widthMax} digits, and no more decimal places than digits`,
      };
  }
  if (new Set(types.map(({ column }) => column)).size < types.length)
    return { field: 'types', message: 'has a column twice' };
  return undefined;
}
