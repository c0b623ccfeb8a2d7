/** Reads the text of a table's or a column's option. The service returns its value as an SQL literal. */
export function unquoted(literal: string): string {
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === 'string' ? text : literal;
  } catch {
    let [start, end] = [0, literal.length];
    while (start < end && literal[start] === '"') start++;
    while (end > start && literal[end - 1] === '"') end--;
    return literal.slice(start, end);
  }
}
