/** The result lacks columns by which rows are compared. */
export class ColumnsMissing extends Error {
  override readonly name = 'ColumnsMissing';
  readonly columns: readonly string[];
  constructor(columns: readonly string[]) {
    super('The result does not have every column that rows are compared by.');
    this.columns = columns;
  }
}
