/** A type without the labels of enumerations, which are values. */
export const withoutLabels = (type: string): string =>
  type.replaceAll(/\benum\((?:'(?:[^']|'')*'(?:, ?)?)*\)/gi, 'ENUM');
