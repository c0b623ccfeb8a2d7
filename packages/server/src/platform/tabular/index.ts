export {
  readableAgain,
  type TabularBatch,
  type TabularColumn,
  type TimeKind,
  unguarded,
} from './cell-text.ts';
export { comparableText } from './comparable-text.ts';
export { csvOf } from './csv.ts';
export { fileNameOf } from './file-name.ts';
export { jsonOf } from './json.ts';
export { exactNumber, type NumberFormat } from './json-number.ts';
export { SheetFullError, xlsxOf } from './xlsx.ts';
