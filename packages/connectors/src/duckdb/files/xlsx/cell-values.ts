import { FileRefusal } from '../file-refusals.ts';
import { escapeXml } from './xml.ts';

/** A cell as its sheet stores it. Undefined: the element is missing. */
export type StoredCell = {
  readonly type: string;
  /** Content of `<v>`. */
  readonly value: string | undefined;
  /** Texts of `<is>`, in the form for the reader. */
  readonly inlineText: string | undefined;
};

/** Type and content of a cell in the form for the reader. */
export type ReaderCell = { readonly type: string; readonly content: string };

const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const significantDigit = /^[^eE]*[1-9]/;
const isoTime = /^(\d{4}-\d{2}-\d{2})?(T?\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const wholeNumber = /^\d{1,10}$/;
const truths: ReadonlySet<string> = new Set(['1', 'true']);
const falsehoods: ReadonlySet<string> = new Set(['0', 'false']);
const xmlBlanks = /^[ \t\r\n]+|[ \t\r\n]+$/g;

export type CellPlace = { readonly file: string; readonly sheet: string; readonly position: string };

/** Returns the refusal of a cell. The reason ends the sentence about the cell. */
export const cellRefusal = ({ file, sheet, position }: CellPlace, reason: string): FileRefusal =>
  new FileRefusal(
    `The cell ${position} of the sheet ${sheet} in the file ${file} ${reason} Correct it in a spreadsheet program.`,
  );

/**
 * Returns a cell in the form for the reader, which would replace an unsound value with another one. Undefined: NULL. A
 * cell without a value is NULL, also if it has a type.
 *
 * @param refuse  throws the refusal of the cell with the reason
 */
export function readerCell(
  { type, value, inlineText }: StoredCell,
  sharedTextCount: number,
  refuse: (reason: string) => never,
): ReaderCell | undefined {
  const hasValue = value !== undefined && value !== '';
  if (type === 'inlineStr' ? hasValue : inlineText !== undefined)
    return refuse('has a value that does not fit its type.');
  if (type === 'inlineStr')
    return inlineText === undefined ? undefined : { type, content: `<is>${inlineText}</is>` };
  if (value === undefined) return undefined;
  const stored = (storedType: string, text: string) => {
    return { type: storedType, content: `<v>${escapeXml(text)}</v>` };
  };
  const trimmed = value.replace(xmlBlanks, '');
  switch (type) {
    case '':
    case 'n':
      if (value === '') return undefined;
      return stored('', isNumber(trimmed) ? trimmed : refuse('has a number that no number type can hold.'));
    case 's':
      if (wholeNumber.test(trimmed) && Number(trimmed) < sharedTextCount) return stored(type, trimmed);
      return refuse('refers to a text that the file does not have.');
    case 'b':
      return stored(type, truthOf(trimmed.toLowerCase()) ?? refuse('has a truth value other than 0 and 1.'));
    case 'd':
      // The reader has no such type. The text is exact.
      return trimmed !== '' && isoTime.test(trimmed)
        ? stored('str', trimmed)
        : refuse('has an unreadable date.');
    case 'str':
    case 'e':
      return stored(type, value);
    default:
      return refuse('has an unknown type.');
  }
}

/** Returns true for a decimal number that becomes neither infinite nor zero as a double. */
function isNumber(text: string): boolean {
  const number = Number(text);
  return plainNumber.test(text) && Number.isFinite(number) && (number !== 0 || !significantDigit.test(text));
}

function truthOf(text: string): '0' | '1' | undefined {
  if (truths.has(text)) return '1';
  return falsehoods.has(text) ? '0' : undefined;
}
