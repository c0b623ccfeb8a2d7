export { guardFormula, type TabularBatch, type TabularColumn } from './cell-text.ts';
export { csvOf } from './csv.ts';
export { jsonOf } from './json.ts';
export { xlsxOf } from './xlsx.ts';
