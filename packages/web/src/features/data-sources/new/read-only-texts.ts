const untested = 'This engine is not run against the service itself in our tests.';

const texts: ReadonlyMap<string, string> = new Map([
  ['Rest', 'An API is asked by GET alone: that this changes nothing is up to the API.'],
  ['SqlServer', `SQL Server has no read-only transactions: a login that may write is refused. ${untested}`],
  [
    'Snowflake',
    `Snowflake has no read-only sessions: a role that may write is refused, and a statement runs once Snowflake has compiled it as a query. ${untested}`,
  ],
  [
    'Databricks',
    `Databricks has no read-only sessions: a login that may write is refused, and a statement runs once Databricks has compiled it as a query. ${untested}`,
  ],
  [
    'BigQuery',
    `A statement runs once BigQuery has said that it is a SELECT, by a token that may only read. ${untested}`,
  ],
]);

/** Explains how the engine prevents writing statements. */
export const readOnlyText = (engine: string | null): string =>
  texts.get(engine ?? '') ?? 'Statements run read-only in any case.';
