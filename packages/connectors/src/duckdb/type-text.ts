/** Removes the labels of enumerations from the text of a type, because labels are data values. */
export const withoutLabels = (type: string): string =>
  type.replaceAll(/\benum\((?:'(?:[^']|'')*'(?:, ?)?)*\)/gi, 'ENUM');
