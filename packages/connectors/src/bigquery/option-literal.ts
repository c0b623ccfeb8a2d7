/** The text of an option of a table or a column, whose value comes as a literal of SQL. */
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
