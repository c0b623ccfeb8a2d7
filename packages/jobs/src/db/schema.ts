/** Name of the schema that holds the library's tables unless another is given. */
export const defaultSchema = 'svc_jobs';

/** PostgreSQL cuts longer identifiers silently; the schema's name is also that of the channel. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Quotes a schema's name for use in a statement.
 *
 * @throws RangeError unless it is made of 1 to 63 letters, digits and underscores, no digit first.
 */
export function quoteSchema(name: string): string {
  if (!namePattern.test(name)) {
    throw new RangeError(
      `The schema name must be 1 to 63 letters, digits and underscores, no digit first: ${JSON.stringify(name)}.`,
    );
  }
  return `"${name}"`;
}
