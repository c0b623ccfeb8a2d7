import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';

const rowsMax = 1_000_000;
/** Limit on rows, in characters, for which the columns may never arrive. */
const charactersMax = 32 * 1_024 * 1_024;

/** Rows as JSON texts that arrive before the description of their columns. */
export type EarlyRows = {
  readonly rows: readonly string[];
  /** Throws if the limit of the run or of this buffer is exceeded. */
  readonly add: (rows: readonly string[]) => void;
};

/** @param maxRows  limit of the result */
export function createEarlyRows(maxRows: number): EarlyRows {
  const rowTexts: string[] = [];
  let characters = 0;
  return {
    rows: rowTexts,
    add: (rows) => {
      if (rowTexts.length + rows.length > maxRows)
        throw new ConnectorError('too-many-rows', `The result has more than ${plural(maxRows, 'row')}.`);
      if (rowTexts.length + rows.length > rowsMax) throw tooMany(plural(rowsMax, 'row'));
      for (const row of rows) {
        characters += row.length;
        if (characters > charactersMax) throw tooMany(`${plural(charactersMax, 'character')} of rows`);
        rowTexts.push(row);
      }
    },
  };
}

const tooMany = (what: string): ConnectorError =>
  new ConnectorError('too-many-bytes', `The API’s response has more than ${what} before its columns.`);
