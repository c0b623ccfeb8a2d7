/** Returns the placeholder of an empty editor, by engine. */
export const placeholderText = (engine: string, isReadOnly = false): string =>
  isReadOnly ? '' : engine === 'Rest' ? '{"path": "/…"}' : 'select …';
